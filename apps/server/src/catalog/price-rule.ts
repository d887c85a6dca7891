import { formatCount } from '@ratecard/contract/wording'
import type { DecimalText } from './price-record.ts'

/** The rules by which a price is chosen: docs/feed.md has them in this order. */
const ruleTexts = {
  operator: 'The operator says so: an own price, or a move that was accepted.',
  own_list: 'The seller says so itself, in its list or on its page.',
  waiting: 'A move away from it waits.',
  agreed: 'Two or more independent sources state it, and outweigh the others.',
  contested: 'Of sources that contradict each other one outweighs the others.',
  alone: 'One source alone states it.',
} as const
/** The one rule that chose a price. */
export type Rule = keyof typeof ruleTexts

/** The sources that state what is served, and what the others state. */
export interface Poll {
  said_by: string[]
  denied_by: Record<string, DecimalText>
}

/** The rule that chose a price, in a sentence. */
export function ruleText(rule: Rule): string {
  return ruleTexts[rule]
}

/** "2 sources state otherwise"; null: none does. */
export function otherwiseText(evidence: Readonly<Record<string, Poll>>): string | null {
  const { size } = new Set(Object.values(evidence).flatMap(({ denied_by }) => Object.keys(denied_by)))
  return size === 0 ? null : `${formatCount(size, 'source states', 'sources state')} otherwise`
}

/** The same of a price that might be another before long; null: it is not in doubt. */
export function doubtText(standing: {
  rule: Rule | null
  evidence: Readonly<Record<string, Poll>>
}): string | null {
  const { rule, evidence } = standing
  return rule === 'contested' || rule === 'waiting' ? otherwiseText(evidence) : null
}
