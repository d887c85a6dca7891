/** The language of every page, and so of its numbers and dates: elsewhere "1,103" is read as a little more than one. */
export const language = 'en-US'

const count = new Intl.NumberFormat(language)

export function countText(value: number): string {
  return count.format(value)
}

const share = new Intl.NumberFormat(language, {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 0,
})

/** A change as a share, with its sign. */
export function shareText(value: number): string {
  return share.format(value)
}
