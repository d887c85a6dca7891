/** Tells the byte of an offset in a text, in UTF-8; cheaply for offsets that come in order. */
export function countBytes(text: string): (offset: number) => number {
  let last = { offset: 0, byte: 0 }
  return (offset) => {
    if (offset < last.offset) last = { offset: 0, byte: 0 }
    last = { offset, byte: last.byte + Buffer.byteLength(text.slice(last.offset, offset)) }
    return last.byte
  }
}
