import { sortRates } from '@ratecard/contract/wording'
import type { Db } from '../database/connect.ts'
import { listGivenDays } from '../features/changes/given-days.ts'
import { listVersions, type PriceVersion } from '../catalog/price-history.ts'
import { amountColumns } from '../catalog/price-record.ts'
import { ruleText } from '../catalog/price-rule.ts'
import { rateKey } from '../catalog/rate-card.ts'
import { agreeOn } from '../ingest/amounts.ts'
import { rateText } from '../drift/compare.ts'
import { feedPolicy } from '../ingest/policy.ts'
import { findNearIds } from '../snapshot/near-ids.ts'
import { readResource } from '../snapshot/read-snapshot.ts'
import type { SellersDocument, SnapshotClaim, SnapshotResource } from '../snapshot/record.ts'
import { UserError } from '../platform/user-error.ts'
import type { OperatorCommand } from './command.ts'
import { print, shortTime, formatTable, type OutputOptions } from './output.ts'
import { historyColumns, historyLines } from './price-moves.ts'

const movesMax = 10

export function addPricesShow(prices: OperatorCommand): void {
  prices
    .command('show')
    .description('Show a price with all that is stored of it, and who says so')
    .argument('<resource-id>', 'The price, as "prices list" names it')
    .onDatabase(async ({ db }, resourceId: string, options: OutputOptions) => {
      const resource = await readResource(db, resourceId)
      const history = await listVersions(db, resourceId, await listGivenDays(db))
      if (resource === undefined) {
        if (history.length === 0) throw await unknownPrice(db, resourceId)
        throw new UserError(
          `"${resourceId}" is not served any more: ratecard prices history shows what it was.`,
        )
      }
      print({ id: resourceId, ...resource, history }, options, () => resourceText(resource, history))
    })
}

/** That nothing is served under an id, and what may have been meant. */
export async function unknownPrice(db: Db, resourceId: string): Promise<UserError> {
  const near = await findNearIds(db, resourceId)
  const instead =
    near.length === 0 ? 'ratecard prices list shows ids.' : `is it one of these?\n${near.join('\n')}`
  return new UserError(`No price was ever served as "${resourceId}": ${instead}`)
}

function resourceText(resource: SnapshotResource, history: readonly PriceVersion[]): string {
  const { rates, announced } = resource
  const first = history.at(-1)
  const moves = historyLines(history).filter(({ version }) => version !== first)
  return [
    formatHead(resource),
    formatTable(
      amountColumns.flatMap((field) => (resource[field] === null ? [] : [{ field }])),
      [
        ['price', 'field'],
        ['amount', ({ field }) => resource[field]],
        ['currency', () => resource.currency],
        ['said by', ({ field }) => resource.evidence?.[field]?.said_by.join(', ')],
        ['denied by', ({ field }) => deniedText(resource.evidence?.[field]?.denied_by)],
      ],
    ),
    ...section('The rate card:', sortRates(rates ?? []), (rows) =>
      formatTable(rows, [
        'meter',
        'unit',
        ['tier', 'service_tier'],
        ['above tokens', 'threshold'],
        ['hours (UTC)', 'hours'],
        'variant',
        'amount',
        ['said by', ({ said_by }) => said_by?.join(', ')],
        ['denied by', ({ denied_by }) => deniedText(denied_by)],
      ]),
    ),
    ...section('Announced:', announced ?? [], (rows) =>
      formatTable(
        rows.flatMap((price) =>
          amountColumns.flatMap((field) => (price[field] === null ? [] : [{ price, field }])),
        ),
        [
          ['from', ({ price }) => price.starts_on],
          ['price', 'field'],
          ['now', ({ field }) => resource[field]],
          ['then', ({ price, field }) => price[field]],
          ['source', ({ price }) => price.source],
          ['learned (UTC)', ({ price }) => shortTime(price.learned_at)],
        ],
      ),
    ),
    ...section('Who says so (* as served):', resource.claims, (claims) => claimsTable(resource, claims)),
    ...section('In the seller’s own words:', resource.documents ?? [], (documents) =>
      documents.map(documentText).join('\n\n'),
    ),
    ...section('Known as:', resource.aliases, (rows) =>
      formatTable(rows, ['source', ['row', 'key'], ['resource', 'resource_id'], ['model', 'model_name']]),
    ),
    ...section('Its last moves:', moves.slice(0, movesMax), (rows) => formatTable(rows, historyColumns)),
    ...(moves.length > movesMax ? [`… and ${moves.length - movesMax} more: ratecard prices history`] : []),
    ...(first ? [`First served ${shortTime(first.known_from)} (UTC), from ${first.source}.`] : []),
  ].join('\n\n')
}

function formatHead(resource: SnapshotResource): string {
  const { resource_id, product_id, vendor, platform, modality, region, unit } = resource
  const confirmed = resource.is_confirmed ? 'yes, by two or more independent sources' : 'no'
  const facts: readonly [string, string | null][] = [
    ['product', product_id],
    ['vendor', vendor],
    ['platform', platform],
    ['region', region],
    ['modality', modality],
    ['unit', unit],
    ['holds from', resource.effective_at],
    ['moved (UTC)', shortTime(resource.updated_at)],
    ['source', resource.source],
    ['link', resource.source_url],
    ['chosen by', resource.rule && ruleText(resource.rule)],
    ['confirmed', resource.is_confirmed === null ? null : confirmed],
    ['retires on', resource.retires_on],
    ['gone since', resource.gone_since === null ? null : shortTime(resource.gone_since)],
  ]
  const known = facts.filter(([, value]) => value !== null)
  return formatTable(known, [
    ['price', ([name]) => name],
    [resource_id, ([, value]) => value],
  ])
}

/** The rows of a document, and how to find them in it. */
function documentText({ source, url, sha256, read_at, quotes }: SellersDocument): string {
  const rows = formatTable(quotes, [
    ['from byte', 'from'],
    ['to byte', 'to'],
    ['row', 'text'],
  ])
  return `${source} read ${url ?? 'a file'} at ${shortTime(read_at)} (UTC). Its SHA-256: ${sha256}\n\n${rows}`
}

function deniedText(deniedBy: Readonly<Record<string, string>> | null | undefined): string | null {
  const denied = Object.entries(deniedBy ?? {})
  return denied.length === 0 ? null : denied.map(([source, amount]) => `${source}: ${amount}`).join(', ')
}

function section<Row>(title: string, rows: readonly Row[], text: (rows: readonly Row[]) => string): string[] {
  return rows.length === 0 ? [] : [`${title}\n\n${text(rows)}`]
}

/** A column for each source, and a row for each amount that one of them states. */
function claimsTable(resource: SnapshotResource, claims: readonly SnapshotClaim[]): string {
  const card = new Map((resource.rates ?? []).map((rate) => [rateKey(rate), rate.amount]))
  const columns = amountColumns.map((field) => ({
    label: field,
    of: (claim: SnapshotClaim) =>
      marked(claim[field], claim.currency === resource.currency ? resource[field] : null),
  }))
  const keys = new Map(claims.flatMap(({ rates }) => rates.map((rate) => [rateKey(rate), rateText(rate)])))
  const rates = [...keys]
    .sort(([, a], [, b]) => (a < b ? -1 : 1))
    .map(([key, label]) => ({
      label,
      of: (claim: SnapshotClaim) => {
        const stated = claim.rates.find((rate) => rateKey(rate) === key)?.amount ?? null
        return marked(stated, card.get(key) ?? null)
      },
    }))
  const facts = [
    { label: 'currency', of: ({ currency }: SnapshotClaim) => currency },
    { label: 'since (UTC)', of: findLastMove },
    { label: 'first seen (UTC)', of: ({ first_seen }: SnapshotClaim) => shortTime(first_seen) },
    { label: 'gone since (UTC)', of: ({ gone_since }: SnapshotClaim) => gone_since && shortTime(gone_since) },
    { label: 'holds from', of: ({ effective_at }: SnapshotClaim) => effective_at },
    { label: 'retires on', of: ({ retires_on }: SnapshotClaim) => retires_on },
  ]
  const lines = [...columns, ...rates, ...facts].filter(({ of }) =>
    claims.some((claim) => of(claim) !== null),
  )
  return formatTable(lines, [
    ['', 'label'],
    ...claims.map(
      (claim) => [claim.source, ({ of }: { of: (claim: SnapshotClaim) => unknown }) => of(claim)] as const,
    ),
  ])
}

function marked(stated: string | null, served: string | null): string | null {
  if (stated === null) return null
  return served !== null && agreeOn(stated, served, feedPolicy) ? `${stated} *` : stated
}

/** When the last of its amounts moved. */
function findLastMove({ since }: SnapshotClaim): string | null {
  const last = Object.values(since ?? {})
    .sort()
    .at(-1)
  return last === undefined ? null : shortTime(last)
}
