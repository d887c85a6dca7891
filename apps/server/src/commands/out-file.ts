import { open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { isAlive } from '../platform/is-alive.ts'
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
    await deleteAbandoned(path)
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

/** What is being written changes all the time. Another machine may write here, too, whose processes we do not see. */
const abandonedAfterMs = 600_000

/** Deletes what killed processes left of files with this name; a name by the time stands for those of other times. */
async function deleteAbandoned(path: string): Promise<void> {
  const folder = dirname(path)
  const anyTime = (name: string) => name.replaceAll(/\d/g, '0')
  for (const name of await readdir(folder)) {
    const [, of = '', pid] = /^(.+)\.(\d+)\.part$/.exec(name) ?? []
    if (anyTime(of) !== anyTime(basename(path)) || isAlive(Number(pid))) continue
    const { mtimeMs } = await stat(join(folder, name))
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(join(folder, name), { force: true })
  }
}
