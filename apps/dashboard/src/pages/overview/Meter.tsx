import { formatNumber } from '@ratecard/contract/wording'

export interface MeterProps {
  label: string
  value: number
  max: number
  tone?: 'warn' | 'bad' | undefined
}

/** A bar of how much is used. The text beside it gives the same figures. */
export function Meter({ label, value, max, tone }: MeterProps) {
  const share = max === 0 ? 1 : Math.min(1, value / max)
  return (
    <span
      className="meter"
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      aria-valuetext={`${formatNumber(value)} of ${formatNumber(max)}`}
    >
      <span data-tone={tone} style={{ inlineSize: `${share * 100}%` }} />
    </span>
  )
}
