const lengthMax = 60

/**
 * A name that somebody chose, as it may stand in a mail of ours: in quotes, and without anything that a mail program
 * would turn into a link. Letters, digits and what is usual in names stay; a full stop only where a word ends.
 */
export function quoteName(name: string): string {
  const plain = name
    // Other forms of a full stop or a slash first become the usual one.
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{M}\p{N} .,'’&()+-]/gu, ' ')
    .replaceAll(/\.(?! |$)/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
  const short = [...plain].slice(0, lengthMax).join('')
  return `“${short}${short.length < plain.length ? '…' : ''}”`
}
