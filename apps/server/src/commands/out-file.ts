import { open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { UserError } from '../platform/user-error.ts'

const unwritable: Record<string, string> = {
  ENOENT: 'its folder does not exist',
  ENOTDIR: 'its folder is a file',
  EISDIR: 'it is a folder',
  EACCES: 'it is not yours to write',
  EROFS: 'its disk is read-only',
  ENOSPC: 'the disk is full',
}

/**
 * Writes a file as a whole or not at all: it gets its name when all of it is on the disk, in place of the one before.
 * @param write writes to the empty file that it is given
 * @param mode who may read it, less what the process takes away
 * @throws UserError when there can be no such file
 */
export async function writeWhole(
  path: string,
  write: (path: string) => Promise<void>,
  { mode = 0o666 }: { mode?: number } = {},
): Promise<void> {
  const fail = (reason: string, cause?: unknown) =>
    new UserError(`Cannot write ${path}: ${reason}.`, { cause })
  const before = await stat(path).catch(() => null)
  if (before !== null && !before.isFile())
    throw fail(before.isDirectory() ? 'it is a folder' : 'it is no file')
  const unfinished = `${path}.${process.pid}.part`
  try {
    await rm(unfinished, { force: true })
    await writeFile(unfinished, '', { flag: 'wx', mode })
    await write(unfinished)
    await using file = await open(unfinished, 'r+')
    await file.sync()
    await rename(unfinished, path)
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => undefined)
    const { code = '', message } = error as NodeJS.ErrnoException
    const reason = code === 'ERR_SQLITE_ERROR' ? message : unwritable[code]
    throw reason === undefined ? error : fail(reason, error)
  }
}
