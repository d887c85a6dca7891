import { UserError } from '../../../platform/user-error.ts'

export interface ArchivedFile {
  /** With its folders, as the archive has it. */
  path: string
  text: string
  /** When it was changed last, in seconds of Unix time; in an archive of a repository, when its commit was made. */
  changedAt: number
}

const block = 512

/**
 * The regular files of a tar archive (POSIX ustar; longer names than its header holds are not read). By hand: nanotar
 * 0.3 checks neither kind nor size, and modern-tar reads streams only, where sources are read in one go.
 * @throws UserError when it is none
 */
export function readTar(archive: Uint8Array): ArchivedFile[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength)
  const files: ArchivedFile[] = []
  let at = 0
  // A block of zeros ends it; a file that was cut off has none.
  while (bytes[at] !== 0) {
    const header = bytes.subarray(at, at + block)
    const size = Number.parseInt(readField(header, 124, 12), 8)
    const isWhole = size >= 0 && at + block + size <= bytes.length
    if (!isWhole || readField(header, 257, 5) !== 'ustar')
      throw new UserError('This is not a whole tar archive.')
    const type = readField(header, 156, 1)
    if (type === '0' || type === '') {
      const folder = readField(header, 345, 155)
      const name = readField(header, 0, 100)
      files.push({
        path: folder === '' ? name : `${folder}/${name}`,
        text: bytes.toString('utf8', at + block, at + block + size),
        changedAt: Number.parseInt(readField(header, 136, 12), 8),
      })
    }
    at += block + Math.ceil(size / block) * block
  }
  return files
}

function readField(header: Buffer, start: number, length: number): string {
  return header.toString('utf8', start, start + length).replace(/[\0 ].*$/s, '')
}
