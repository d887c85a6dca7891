import { gunzipSync } from 'node:zlib'
import { UserError } from '../../platform/user-error.ts'

export interface ArchivedFile {
  /** With its folders, as the archive has it. */
  path: string
  text: string
}

const block = 512
const unpackedBytesMax = 20_000_000

/**
 * The regular files of a tar archive, packed with gzip or not (POSIX ustar; longer names than its header holds are
 * not read).
 * @throws UserError when it is none, or larger than 20 MB
 */
export function readTar(archive: Uint8Array): ArchivedFile[] {
  const bytes = unpacked(archive)
  const files: ArchivedFile[] = []
  let at = 0
  // A block of zeros ends it; a file that was cut off has none.
  while (bytes[at] !== 0) {
    const header = bytes.subarray(at, at + block)
    const size = Number.parseInt(textOf(header, 124, 12), 8)
    const isWhole = size >= 0 && at + block + size <= bytes.length
    if (!isWhole || textOf(header, 257, 5) !== 'ustar')
      throw new UserError('This is not a whole tar archive.')
    const type = textOf(header, 156, 1)
    if (type === '0' || type === '') {
      const folder = textOf(header, 345, 155)
      const name = textOf(header, 0, 100)
      files.push({
        path: folder === '' ? name : `${folder}/${name}`,
        text: bytes.toString('utf8', at + block, at + block + size),
      })
    }
    at += block + Math.ceil(size / block) * block
  }
  return files
}

function unpacked(archive: Uint8Array): Buffer {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: unpackedBytesMax })
  } catch (cause) {
    throw new UserError('The archive is damaged, or larger than 20 MB unpacked.', { cause })
  }
}

function textOf(header: Buffer, start: number, length: number): string {
  return header.toString('utf8', start, start + length).replace(/[\0 ].*$/s, '')
}
