/** PostgreSQL accepts neither NUL nor half a character. Other control characters belong in no name. */
export function isStorableText(text: string): boolean {
  return text.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(text)
}

/** The part of a text that can be stored and printed: at most `lengthMax` characters, � for those that cannot. */
export function storableText(text: string, lengthMax: number): string {
  const start = text.length > lengthMax ? `${text.slice(0, lengthMax - 1)}…` : text
  return start.toWellFormed().replaceAll(/[\u0000-\u001f\u007f]/g, '\ufffd')
}
