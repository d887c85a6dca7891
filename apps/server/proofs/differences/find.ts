import { amountColumns, type AmountColumn, type DecimalText } from '../../src/features/prices/price-record.ts'
import { firstClaim, type Claim } from '../../src/feed/judge/claim.ts'
import { judgeAll } from '../../src/feed/judge/judge-all.ts'
import { findPeers } from '../../src/feed/judge/peers.ts'
import { linkAll, namingOf } from '../../src/feed/linking.ts'
import { resourceKey } from '../../src/feed/names.ts'
import { feedPolicy as policy } from '../../src/feed/policy.ts'
import { isOperator, ownListOf } from '../../src/feed/precedence.ts'
import type { SourceReading, SourceRecord } from '../../src/feed/source-record.ts'
import { historicRules, rules, type Case } from './rules.ts'

/** An amount that is served otherwise than a newest file states it. */
export interface Difference {
  id: string
  column: AmountColumn
  source: string
  stated: DecimalText | null
  served: DecimalText | null
  /** The sources that state what is served; none: it was stated before. */
  saidBy: readonly string[]
  /** Null: no rule explains it. */
  rule: string | null
}

export interface Findings {
  differences: Difference[]
  /** Amounts of the newest files that are served as they are stated. */
  equal: number
  /** Rows of the newest files that are not served, since their platform's own list lacks them. */
  nonexistent: { id: string; source: string }[]
  /** Rows that are not served, and no rule says why. */
  lost: { id: string; source: string }[]
}

/** Compares what all claims mean with the newest file of each source. */
export function findDifferences(
  claims: readonly Claim[],
  newest: ReadonlyMap<string, SourceReading>,
  at: string,
): Findings {
  const verdicts = judgeAll(claims, at, policy)
  const links = linkAll(claims.map(({ source, stated }) => namingOf(source, stated)))
  const peers = findPeers(claims, (key) => links.get(key)?.product_id ?? null, policy.guards.peerPlatformsMin)
  const present = Map.groupBy(
    claims.filter(({ removedAt }) => removedAt === null),
    ({ key }) => key,
  )
  const statements = statementsOf(newest)
  const findings: Findings = { differences: [], equal: 0, nonexistent: [], lost: [] }

  for (const [key, stated] of statements) {
    if (verdicts.has(key)) continue
    for (const [source, { resource_id: id, platform }] of stated) {
      const ownList = ownListOf(platform)
      const isNonexistent = ownList !== null && !stated.has(ownList) && !isOperator(source)
      findings[isNonexistent ? 'nonexistent' : 'lost'].push({ id, source })
    }
  }
  for (const [key, verdict] of verdicts) {
    const id = verdict.record.resource_id
    for (const column of amountColumns) {
      const { value: served, saidBy } = verdict.amounts[column]
      const stating = [...(statements.get(key) ?? [])].flatMap(([source, record]) =>
        record[column] === null ? [] : [{ source, stated: record[column] }],
      )
      const compared =
        stating.length === 0 && served !== null ? [{ source: verdict.source, stated: null }] : stating
      for (const { source, stated } of compared) {
        if (stated === served) {
          findings.equal += 1
          continue
        }
        const median = peers.median(verdict.record.product_id, verdict.record.platform, column)
        const claims = present.get(key) ?? []
        const one: Case = { source, column, stated, verdict, claims, peers: median, policy }
        const rule = rules.find(({ holds }) => holds(one))?.name ?? null
        findings.differences.push({ id, column, source, stated, served, saidBy, rule })
      }
    }
  }
  findings.differences.sort((a, b) => (a.id === b.id ? 0 : a.id < b.id ? -1 : 1))
  return findings
}

/** An amount that is served otherwise than it would be without what the sources said before. */
export interface Historic {
  id: string
  column: AmountColumn
  served: DecimalText | null
  without: DecimalText | null
  /** Null: no rule of moves explains it. */
  rule: string | null
}

/** What the moves of the sources decide, beside what their newest files state. */
export function findHistoric(
  { differences }: Findings,
  claims: readonly Claim[],
  newest: ReadonlyMap<string, SourceReading>,
  at: string,
): Historic[] {
  const forgetful = [...newest].flatMap(([source, { records }]) =>
    records.map((record) => firstClaim(source, resourceKey(record.resource_id), record, at)),
  )
  const without = judgeAll(forgetful, at, policy)
  return [...judgeAll(claims, at, policy)].flatMap(([key, { record, amounts }]) =>
    amountColumns.flatMap((column): Historic[] => {
      const [served, other] = [amounts[column].value, without.get(key)?.amounts[column].value ?? null]
      if (served === other) return []
      const id = record.resource_id
      const reasons = differences.filter((one) => one.id === id && one.column === column)
      const rule = reasons.find((one) => historicRules.includes(one.rule ?? ''))?.rule ?? null
      return [{ id, column, served, without: other, rule }]
    }),
  )
}

/** By resource key and source: the rows of the newest files. */
function statementsOf(newest: ReadonlyMap<string, SourceReading>): Map<string, Map<string, SourceRecord>> {
  const statements = new Map<string, Map<string, SourceRecord>>()
  for (const [source, { records }] of newest) {
    for (const record of records) {
      const key = resourceKey(record.resource_id)
      statements.set(key, (statements.get(key) ?? new Map<string, SourceRecord>()).set(source, record))
    }
  }
  return statements
}
