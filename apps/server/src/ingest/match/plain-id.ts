/**
 * A name without what nobody sees: blanks around its parts, characters of no width, letters of full width. So that
 * ` gpt-4o` and `ｇｐｔ-4o` are no models of their own. Letters of other alphabets stay as they are written.
 */
export function plainId(text: string): string {
  if (/^[\x21-\x7e]*$/.test(text)) return text
  const compatible = bare(text.normalize('NFKC'))
  return /^[\x20-\x7e]*$/.test(compatible) ? compatible : bare(text.normalize('NFC'))
}

function bare(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\s*([:/])\s*/g, '$1')
    .trim()
}
