export interface MeterProps {
  label: string
  value: number
  max: number
  tone?: 'warn' | 'bad' | undefined
}

/** How much of something there is. What it shows stands beside it as a text. */
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
      aria-valuetext={`${value.toLocaleString()} of ${max.toLocaleString()}`}
    >
      <span data-tone={tone} style={{ inlineSize: `${share * 100}%` }} />
    </span>
  )
}
