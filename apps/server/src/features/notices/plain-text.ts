/**
 * What somebody else states, on one line of a mail of ours, and without what a mail program would turn into a link or
 * what turns a line round.
 */
export function plainText(text: string, max: number): string {
  const line = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/gu, ' ')
    .replaceAll('://', ': //')
    .replaceAll(/\bwww\./gi, 'www .')
    .replaceAll(/ {2,}/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= max ? line : `${characters.slice(0, max - 1).join('')}…`
}
