import { formatAge, language } from '@ratecard/contract/wording'

const msPerDay = 86_400_000
const soonMs = 15 * msPerDay
const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })

/** How long a key works, to choose from. */
export const lifetimes = [
  { value: 'never', label: 'No expiry' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: 'custom', label: 'Until a day that you choose' },
] as const
export type Lifetime = (typeof lifetimes)[number]['value']

export function isLifetime(text: string | null): text is Lifetime {
  return lifetimes.some(({ value }) => value === text)
}

/**
 * When a key expires, as the contract spells instants; null: never.
 * @param nowMs by the server's clock
 * @param lastDay the last day on which it works, where the user is, `YYYY-MM-DD`
 */
export function chooseExpiry(
  lifetime: Lifetime,
  { nowMs, lastDay }: { nowMs: number; lastDay: string },
): string | null {
  if (lifetime === 'never') return null
  if (lifetime !== 'custom') return formatInstant(nowMs + Number(lifetime) * msPerDay)
  const [year = 0, month = 1, day = 1] = lastDay.split('-').map(Number)
  // The end of that day where the user is.
  return formatInstant(new Date(year, month - 1, day + 1).getTime())
}

function formatInstant(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z')
}

/** The calendar day of an instant where the user is, `YYYY-MM-DD`. */
export function localDay(ms: number): string {
  const at = new Date(ms)
  const two = (number: number) => String(number).padStart(2, '0')
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
}

/** When a key expires, in words: near ends by the time that is left. */
export function expiryText(expiresAt: string, nowMs: number): { text: string; isSoon: boolean } {
  const leftMs = Date.parse(expiresAt) - nowMs
  if (leftMs <= 0) return { text: 'ended', isSoon: true }
  if (leftMs < soonMs) return { text: `ends in ${formatAge(leftMs)}`, isSoon: true }
  return { text: `until ${date.format(new Date(expiresAt))}`, isSoon: false }
}
