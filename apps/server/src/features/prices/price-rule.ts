/** The rules by which a price is chosen: docs/feed.md has them in this order. */
const ruleTexts = {
  operator: 'The operator says so: an own price, or a move that was accepted.',
  own_list: "The platform's own list says so.",
  waiting: 'A move away from it waits.',
  agreed: 'Two or more independent sources state it, and outweigh the others.',
  contested: 'Of sources that contradict each other one outweighs the others.',
  alone: 'One source alone states it.',
} as const
/** The one rule that chose a price. */
export type Rule = keyof typeof ruleTexts

/** The rule that chose a price, in a sentence. */
export function ruleText(rule: Rule): string {
  return ruleTexts[rule]
}
