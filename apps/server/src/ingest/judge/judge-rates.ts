import { rateKey, sortRates, type Rate } from '../../catalog/rate-card.ts'
import type { DecimalText } from '../../catalog/price-record.ts'
import { agreeOn } from '../amounts.ts'
import type { FeedPolicy } from '../policy.ts'
import type { Amounts } from '../source-record.ts'
import { heardRates, isImpossibleRate } from '../claims/doubts.ts'
import { heaviest } from './elect.ts'
import type { Held } from './judge-resource.ts'
import type { Voice } from '../claims/voices.ts'

/** By `rateKey`: the sources that state the served rate, and what the others state. */
export type RateEvidence = Record<string, { said_by: string[]; denied_by: Record<string, DecimalText> }>

/**
 * Decides the rate card of a resource, key by key, from the sources whose input and output are the served ones: a tier
 * belongs to its base price. What contradicts its base is held.
 * @param voices the first in rank first
 */
export function judgeRates(
  voices: readonly Voice[],
  served: Amounts,
  policy: FeedPolicy,
): { rates: readonly Rate[]; evidence: RateEvidence; held: Held[] } {
  const held: Held[] = []
  const stated = voices
    .filter((voice) => isBased(voice, served, policy))
    .flatMap((voice) => {
      const { claim } = voice
      const { rates, waits } = heardRates(
        ...([claim.stated, claim.cardMove, claim.lastSeen, policy, baseWaitsSince(voice)] as const),
      )
      const possible = rates.filter((rate) => !isImpossibleRate(rate, served, policy))
      const isHeld = waits || (possible.length < rates.length && claim.cardMove?.decided !== 'rejected')
      const accepted = claim.cardMove?.decided === 'accepted' ? rates : possible
      if (isHeld && accepted !== rates)
        held.push({
          source: claim.source,
          column: null,
          reason: 'card',
          since: claim.cardMove?.since ?? claim.firstSeen,
        })
      return accepted.map((rate) => ({ key: rateKey(rate), rate, value: rate.amount, voice }))
    })
  const evidence: RateEvidence = {}
  const chosen = [...Map.groupBy(stated, ({ key }) => key)].map(([key, all]) => {
    const winners = heaviest(all, policy)
    const others = all.filter((one) => !winners.includes(one))
    evidence[key] = {
      said_by: winners.map(({ voice }) => voice.claim.source),
      denied_by: Object.fromEntries(others.map(({ voice, value }) => [voice.claim.source, value])),
    }
    return winners[0]!.rate
  })
  return { rates: sortRates(chosen), evidence, held }
}

/** Since when amounts of the row wait that moved; null: none does. */
function baseWaitsSince({ claim, waits }: Voice): string | null {
  const waiting = [...waits].flatMap(([column, { since }]) => (claim.moves[column] ? [since] : []))
  return waiting.sort()[0] ?? null
}

/** Whether the source is heard to state the served input and output, or leaves them open. */
function isBased({ amounts }: Voice, served: Amounts, policy: FeedPolicy): boolean {
  return (['input_per_mtok', 'output_per_mtok'] as const).every(
    (column) =>
      amounts[column] === null || served[column] === null || agreeOn(amounts[column], served[column], policy),
  )
}
