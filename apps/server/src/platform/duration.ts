const unitMs = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** A time such as `500ms`, `15s` or `2h` in milliseconds, or null when it is none. */
export function parseDuration(text: string): number | null {
  const [, amount, unit] = /^(\d{1,9})(ms|s|m|h|d)$/.exec(text.trim()) ?? []
  return amount === undefined ? null : Number(amount) * unitMs[unit as keyof typeof unitMs]
}
