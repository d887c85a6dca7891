const lengthMax = 60

/**
 * A name that a user chose, safe for a mail of ours: in quotes, and without text that a mail program would turn into a
 * link. Letters, digits and what is usual in names stay; a full stop only at the end of a word.
 */
export function quoteName(name: string): string {
  const plain = name
    // Other forms of a full stop or a slash are normalised first.
    .normalize('NFKC')
    .replaceAll(/[^\p{L}\p{M}\p{N} .,'’&()+-]/gu, ' ')
    .replaceAll(/\.(?! |$)/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
  const short = [...plain].slice(0, lengthMax).join('')
  return `“${short}${short.length < plain.length ? '…' : ''}”`
}
