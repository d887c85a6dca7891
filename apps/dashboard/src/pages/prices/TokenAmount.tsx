import { formatDigits, withoutDust } from '@ratecard/contract/wording'
import type { Schemas } from '../../../contract/index.ts'
import { markWords } from './words.ts'

export interface TokenAmountProps {
  /** Null: unknown. */
  amount: number | null
  currency: string | null
  mark?: Schemas['PriceMark']
}

/**
 * An amount of a column whose amounts stand below each other by their decimal points. The column's head says US dollars
 * once; another currency is said at the amount.
 */
export function TokenAmount({ amount, currency, mark = null }: TokenAmountProps) {
  if (amount === null) {
    return (
      <span className="money soft">
        <span aria-hidden="true">–</span>
        <span className="visually-hidden">unknown</span>
        <span className="money-rest" />
      </span>
    )
  }
  const shown = withoutDust(amount)
  const [whole = '', rest = ''] = amount === 0 ? ['free'] : formatDigits(shown).split(/(?=\.)/)
  return (
    <span className="money" title={shown === amount ? undefined : `The source says ${formatDigits(amount)}`}>
      {mark !== null && (
        <abbr className="money-mark" title={markWords[mark].title}>
          {markWords[mark].text}
        </abbr>
      )}
      {currency !== null && currency !== 'USD' && amount !== 0 && (
        <span className="money-mark">{currency}</span>
      )}
      <span>{whole}</span>
      <span className="money-rest">{rest}</span>
    </span>
  )
}
