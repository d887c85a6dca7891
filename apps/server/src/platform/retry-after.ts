/** `Retry-After` in either form (RFC 9110, 10.2.3), or null when it is absent or makes no sense. */
export function retryAfterMs(value: string | null, now: Date): number | null {
  const text = value?.trim() ?? ''
  if (/^\d{1,10}$/.test(text)) return Number(text) * 1_000
  // A date names its month; `Date.parse` alone would take bare numbers for years.
  if (!/^[A-Za-z]{3},? .*GMT$/.test(text)) return null
  const at = Date.parse(text)
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime())
}
