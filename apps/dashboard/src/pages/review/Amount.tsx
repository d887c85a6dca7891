import { countDecimals, formatDigits } from '@ratecard/contract/wording'

/**
 * An amount that stands with its decimal point below those of its column.
 * @param places the decimals of the column, from `countDecimals`
 */
export function Amount({ value, places }: { value: string | null; places: number }) {
  if (value === null) return <span className="soft">–</span>
  // Hidden digits take the room that the others' last ones need.
  const missing = '0'.repeat(Math.max(0, places - countDecimals([value])))
  return (
    <span className="amount">
      {formatDigits(value)}
      {missing !== '' && (
        <span className="amount-room" aria-hidden="true">
          {missing}
        </span>
      )}
    </span>
  )
}
