import { feedAgeSecondsMax } from '../features/cells/pulse.ts'
import type { CellStatus, HubStatus } from '../features/cells/status.ts'
import { formatTable } from './output.ts'

// What a hub or a cell looks like, and what an operator can do about it.

type Status = HubStatus | CellStatus | null
type Moves = HubStatus['moves']

const heldBytesMuch = 2 ** 30

/** One sentence for each thing that is not as it should be. */
export function writeAdvice(status: Status, { asksHub }: { asksHub: boolean }): string[] {
  if (status === null) return []
  const own = status.role === 'hub' ? hubAdvice(status) : cellAdvice(status, asksHub)
  return [...own, ...status.moves.under_way.map(moveAdvice)]
}

function moveAdvice({ account_id, direction, state, cell }: Moves['under_way'][number]): string {
  if (direction === 'in')
    return `The account ${account_id} is on its way here from the cell "${cell}": "ratecard cells move" there goes on.`
  if (state === 'left')
    return `The account ${account_id} is on its way to the cell "${cell}", for good: run "ratecard cells move" again to finish.`
  return `The account ${account_id} is on its way to the cell "${cell}"${state === 'quiet' ? '' : ', and nobody serves it'}: unless the command is running, run "ratecard cells move" again, or take it back with --undo.`
}

function hubAdvice({ unpublished_tables, cells }: HubStatus): string[] {
  const advice = cells.flatMap(({ mark, active, wal_status, held_bytes }) => {
    if (wal_status === 'lost')
      return [
        `The cell "${mark}" was away for longer than max_slot_wal_keep_size allows: run "ratecard cells join" there, which fetches all again.`,
      ]
    if (active) return []
    const held =
      held_bytes !== null && held_bytes > heldBytesMuch ? `, and ${bytes(held_bytes)} of log wait for it` : ''
    return [
      `The cell "${mark}" is not connected${held}. It catches up by itself when it is back; if it is gone for good: ratecard cells leave ${mark}`,
    ]
  })
  if (unpublished_tables.length > 0)
    advice.push(`Cells do not get ${unpublished_tables.join(', ')} yet: run "ratecard cells publish" again.`)
  return advice
}

function cellAdvice(status: CellStatus, asksHub: boolean): string[] {
  const { role, here, hub, subscription, slot, feed_age_seconds } = status
  if (role === 'joining') return ['Joining was interrupted: run "ratecard cells join" again, and it goes on.']
  const advice: string[] = []
  if (subscription === null) advice.push('The subscription is gone: run "ratecard cells join" again.')
  else if (!subscription.enabled)
    advice.push('The subscription is switched off: run "ratecard cells join" again.')
  else if (subscription.tables_ready < subscription.tables)
    advice.push(`${subscription.tables - subscription.tables_ready} tables are still copied.`)
  if (hub !== null && hub.migration > here.migration)
    advice.push(
      `The hub has the schema ${hub.migration}: run "ratecard migrate" here, and the cell catches up.`,
    )
  if (slot?.wal_status === 'lost')
    advice.push('The hub no longer keeps what this cell has missed: run "ratecard cells join" again.')
  if (asksHub && hub === null)
    advice.push(
      'The hub does not answer. The cell goes on with the prices that it has, and catches up by itself.',
    )
  else if (hub !== null && slot === null && subscription !== null)
    advice.push('The hub has no slot for this cell: run "ratecard cells join" again.')
  const isOld = feed_age_seconds === null || feed_age_seconds > feedAgeSecondsMax
  if (isOld && advice.length === 0)
    advice.push(
      subscription?.connected
        ? "No worker of the hub has been heard of: is one running there? And does PostgreSQL's log here say why rows are not applied?"
        : "The cell is not connected to its hub: PostgreSQL's log here says why.",
    )
  return advice
}

export function statusText(status: Status, advice: readonly string[]): string {
  if (status === null)
    return 'This database stands alone. "ratecard cells publish" makes it a hub, "ratecard cells join" a cell.'
  return [
    ...(status.role === 'hub' ? hubLines(status) : cellLines(status)),
    ...status.moves.left.map(
      ({ cell, accounts, keys }) =>
        `Moved to the cell "${cell}": ${accounts} accounts, with ${keys} keys that are led there.`,
    ),
    ...advice.map((text) => `→ ${text}`),
  ].join('\n')
}

function hubLines({ mark, migration, cells }: HubStatus): string[] {
  return [
    `This database is a hub${mark === null ? '' : ` with the mark "${mark}"`}, schema ${migration}.`,
    cells.length === 0
      ? 'No cell has joined.'
      : formatTable(cells, [
          ['cell', 'mark'],
          ['connected', ({ active }) => (active ? 'yes' : 'no')],
          ['behind', ({ lag_bytes }) => bytes(lag_bytes)],
          ['for', ({ lag_seconds }) => seconds(lag_seconds)],
          ['log kept', ({ held_bytes }) => bytes(held_bytes)],
          ['slot', ({ name }) => name],
          ['state', 'wal_status'],
        ]),
  ]
}

function cellLines({ role, mark, feed_age_seconds, here, hub, subscription, slot }: CellStatus): string[] {
  const versions = [
    { what: 'schema', here: here.migration, hub: hub?.migration },
    { what: 'prices', here: String(here.prices), hub: hub && String(hub.prices) },
    { what: 'changes', here: String(here.changes), hub: hub && String(hub.changes) },
  ]
  return [
    `This database is ${role === 'cell' ? '' : 'becoming '}the cell "${mark}".`,
    formatTable(versions, [['version', 'what'], 'here', ['at the hub', (row) => row.hub ?? 'not known']]),
    `Behind: ${feed_age_seconds === null ? 'not known' : seconds(feed_age_seconds)}${slot === null ? '' : `, ${bytes(slot.lag_bytes)}`}.`,
    subscription === null
      ? 'Subscription: none.'
      : `Subscription: ${subscription.enabled ? (subscription.connected ? 'connected' : 'not connected') : 'switched off'}, ${subscription.tables_ready} of ${subscription.tables} tables, ${subscription.errors} errors since it was made.`,
    slot === null
      ? 'Slot at the hub: not known.'
      : `Slot at the hub: ${slot.name}, ${slot.wal_status ?? 'not known'}.`,
  ]
}

function bytes(count: number | null): string {
  if (count === null) return '–'
  if (count < 1_024) return `${Math.max(0, Math.round(count))} B`
  const mib = count / 2 ** 20
  return mib < 1 ? `${(count / 1_024).toFixed(1)} KiB` : `${mib.toFixed(1)} MiB`
}

function seconds(count: number | null): string {
  return count === null ? '–' : `${count.toFixed(1)} s`
}
