import type { DecimalText } from '../../../catalog/price-record.ts'
import { readDecimal } from '../../../catalog/decimal.ts'

/** What one cell of Google's page states: an amount for text, for audio, and for prompts above a threshold. */
export interface Amount {
  base?: DecimalText
  audio?: DecimalText
  long?: DecimalText
  /** In tokens. */
  threshold?: number
}

const usd = String.raw`\$((?:0|[1-9]\d{0,3})(?:\.\d{1,4})?)`
const seen = String.raw`\(text ?/ ?image ?/ ?video\)`
const perMillion = ' / 1,000,000 tokens'

const forms: readonly { pattern: RegExp; parts: readonly (keyof Amount)[] }[] = [
  { pattern: new RegExp(`^${usd}$`), parts: ['base'] },
  { pattern: new RegExp(`^${usd} \\(text\\)$`), parts: ['base'] },
  { pattern: new RegExp(`^${usd} \\(audio\\)$`), parts: ['audio'] },
  { pattern: new RegExp(`^${usd} ${seen} ${usd} \\(audio\\)$`), parts: ['base', 'audio'] },
  {
    pattern: new RegExp(`^${usd}${perMillion} ${seen} ${usd}${perMillion} \\(audio\\)$`),
    parts: ['base', 'audio'],
  },
  {
    pattern: new RegExp(`^${usd}, prompts <= (\\d{2,3})k tokens ${usd}, prompts > \\2k(?: tokens)?$`),
    parts: ['base', 'threshold', 'long'],
  },
]

/** What the cell of cached input says beside its amount. */
const aside = [
  /^_Same as Standard, Batch pricing not yet implemented_ /,
  new RegExp(` ${usd}${perMillion} per hour \\(storage price\\)$`),
]

/** Reads a cell as a whole: null where it has any other words. */
export function readAmount(cell: string, column: 'input' | 'output' | 'cached'): Amount | null {
  const text = column === 'cached' ? aside.reduce((rest, words) => rest.replace(words, ''), cell) : cell
  for (const { pattern, parts } of forms) {
    const [match, ...values] = pattern.exec(text) ?? []
    if (match === undefined) continue
    const amount: Amount = {}
    for (const [index, part] of parts.entries()) {
      const value = values[index] ?? ''
      if (part === 'threshold') amount.threshold = Number(value) * 1_000
      else {
        const read = readDecimal(value)
        if (!('amount' in read) || read.amount === null) return null
        amount[part] = read.amount
      }
    }
    return amount
  }
  return null
}
