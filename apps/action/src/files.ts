import { glob, lstat, readFile, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { StepError } from './runner.ts'

export interface SourceFile {
  /** In the repository. */
  path: string
  text: string
}

const filesMax = 5_000
const bytesMax = 64 * 2 ** 20

/**
 * The files of some globs. What a pull request made a link leads nowhere.
 * @throws StepError when they are more than are read: what was not looked at is not said to be right
 */
export async function readFiles(root: string, globs: readonly string[], what: string): Promise<SourceFile[]> {
  const home = await realpath(root)
  const paths = new Set<string>()
  const exclude = (path: string) => /(?:^|[\\/])(?:node_modules|\.git)$/.test(path)
  for await (const path of glob([...globs], { cwd: home, exclude })) {
    paths.add(path.replaceAll(sep, '/'))
    if (paths.size > filesMax)
      throw new StepError(`"${what}" names more than ${filesMax} files: narrow its globs.`)
  }
  const files: SourceFile[] = []
  let bytes = 0
  for (const path of [...paths].sort()) {
    const found = await lstat(join(home, path))
    const isInside = (await realpath(join(home, path))) === join(home, path)
    if (!found.isFile() || !isInside) continue
    bytes += found.size
    if (bytes > bytesMax) throw new StepError(`"${what}" names more than 64 MB: narrow its globs.`)
    files.push({ path, text: await readFile(join(home, path), 'utf8') })
  }
  if (files.length === 0) throw new StepError(`"${what}" names no file of the repository.`)
  return files
}
