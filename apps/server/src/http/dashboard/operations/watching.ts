import { z } from 'zod'
import { companyName, modelName, recordName } from '@ratecard/contract/model-name'
import { amountColumns, type AmountColumn, type DecimalText } from '../../../catalog/price-record.ts'
import { listWatched, type WatchedItem, type Watcher } from '../../../catalog/watch-list.ts'
import { isWatched, unwatch, watch, watchesMax } from '../../../features/watching/watch-store.ts'
import { modelPath, vendorPath } from '../../html/words.ts'
import type { Member } from '../member.ts'
import { data } from '../form.ts'
import { forMembers } from '../operation.ts'
import { Done } from '../schemas/common.ts'
import { WatchInput, WatchKind, WatchList, WatchName } from '../schemas/watching.ts'
import type { Schemas } from '../schemas/index.ts'

export const listWatches = forMembers.costlyRead(
  'GET /watches',
  { 200: WatchList },
  async ({ member }, { db }) => {
    const items = await listWatched(db, toWatcher(member))
    return { data: items.map(watchBody), max: watchesMax }
  },
)

/** What the button of a public page shows. */
export const getWatch = forMembers.read(
  'GET /watch',
  {
    query: z.strictObject({ kind: WatchKind, name: WatchName }),
    200: data(z.strictObject({ watched: z.boolean() })),
  },
  async ({ member, query }, { db }) => ({ watched: await isWatched(db, toWatcher(member), query) }),
)

export const setWatch = forMembers.write(
  'PUT /watches',
  { body: WatchInput, 200: Done, errors: ['conflict'] },
  async ({ member, body }, { db }) => {
    const { watched, ...thing } = body
    const watcher = toWatcher(member)
    if (watched) await db.transaction().execute((trx) => watch(trx, watcher, thing))
    else await unwatch(db, watcher, thing)
  },
)

function toWatcher({ account, user }: Member): Watcher {
  return { accountId: account.id, userId: user.id }
}

function watchBody({ cheapest, announced, ...item }: WatchedItem): Schemas['Watch'] {
  return {
    ...item,
    title: formatTitle(item),
    page: findPage(item),
    cheapest: cheapest && { ...cheapest, ...countItems(cheapest) },
    announced: announced && {
      resource_id: announced.resource_id,
      starts_on: announced.starts_on,
      currency: announced.currency,
      ...countItems(announced),
    },
  }
}

/** A resource that no product is known of is called as its platform calls it. */
function formatTitle({ kind, name }: Pick<WatchedItem, 'kind' | 'name'>): string {
  if (kind === 'vendor') return companyName(name)
  return name.includes('/') ? modelName(name) : recordName(name)
}

/** The path of the page that shows it. A resource's id begins with its platform and a colon. */
function findPage({ kind, name }: Pick<WatchedItem, 'kind' | 'name'>): string {
  return kind === 'vendor' ? vendorPath(name) : modelPath({ id: name, isProduct: !/^[^/]*:/.test(name) })
}

function countItems(
  amounts: Partial<Record<AmountColumn, DecimalText | null>>,
): Record<AmountColumn, number | null> {
  const numbers = amountColumns.map((column) => {
    const text = amounts[column] ?? null
    return [column, text === null ? null : Number(text)]
  })
  return Object.fromEntries(numbers) as Record<AmountColumn, number | null>
}
