import { sourceName } from '@ratecard/contract/model-name'
import { formatCount } from '@ratecard/contract/wording'
import { agreeOn } from '../../amounts.ts'
import type { ChangeDraft } from '../change-draft.ts'
import type { FeedPolicy } from '../../policy.ts'
import { isOfficial } from '../../match/precedence.ts'
import { listMoves } from './moves.ts'
import { listText, verb } from './text.ts'

/** Sources by what they say of the amounts that move; sorted. */
export interface Witnesses {
  /** They state the new amounts. */
  for: string[]
  /** They still state an amount before. */
  against: string[]
  /** Of those that state or announce the new amounts: the seller's own list, page or bill. */
  sellers: string[]
}

const namesMax = 4

export function findWitnesses(draft: ChangeDraft, policy: FeedPolicy): Witnesses {
  const moves = new Map(listMoves(draft).map((move) => [`${move.column} ${move.resource_id}`, move]))
  const said = draft.evidence.flatMap(({ resource_id, field, source, amount }) => {
    const move = moves.get(`${field} ${resource_id}`)
    if (!move || amount === null) return []
    if (agreeOn(amount, move.after, policy)) return [{ source, isFor: true }]
    return agreeOn(amount, move.before, policy) ? [{ source, isFor: false }] : []
  })
  const against = new Set(said.flatMap(({ source, isFor }) => (isFor ? [] : [source])))
  const agreeing = said.flatMap(({ source, isFor }) => (isFor && !against.has(source) ? [source] : []))
  const platforms = new Set(draft.rows.map(({ before, after }) => (after ?? before)?.record.platform ?? null))
  const isSeller = (source: string) => [...platforms].every((platform) => isOfficial(source, platform))
  const announcing = draft.status === 'announced' ? draft.evidence.map(({ source }) => source) : []
  const sellers = new Set([...agreeing, ...announcing].filter(isSeller))
  return { for: [...new Set(agreeing)].sort(), against: [...against].sort(), sellers: [...sellers].sort() }
}

const namesText = (sources: readonly string[]): string => listText(sources.map(sourceName), namesMax)

/** `Stated by the seller itself: OpenRouter.`, `1 source says so: LiteLLM.`; null: nothing is stored. */
export function witnessesText(witnesses: Witnesses): string | null {
  const parts = [
    witnesses.sellers.length > 0 ? `Stated by the seller itself: ${namesText(witnesses.sellers)}.` : '',
    witnesses.for.length > 0
      ? `${formatCount(witnesses.for.length, 'source')} ${verb(witnesses.for.length, 'say')} so: ${namesText(witnesses.for)}.`
      : '',
    witnesses.against.length > 0
      ? `${formatCount(witnesses.against.length, 'source')} still ${verb(witnesses.against.length, 'state')} the amount before: ${namesText(witnesses.against)}.`
      : '',
  ].filter((part) => part !== '')
  return parts.length > 0 ? parts.join(' ') : null
}
