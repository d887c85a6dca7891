import { mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Db } from '../../database/connect.ts'
import { readPriceVersion } from '../../features/prices/price-table.ts'
import { KeptFile, type OpenFile } from './kept-file.ts'
import { PriceFiles, type FileForm } from './price-files.ts'
import { inThread, type ThreadLimits } from '../../threads/in-thread.ts'

/** What the thread of a file is started with. */
export interface FileTask {
  connectionString: string
  form: FileForm
  /** Where it writes: the file as it is, and compressed. */
  paths: { identity: string; gzip: string }
}

// 9,000 prices take some seconds and less than 100 MB: a batch is in memory at a time.
const limits: ThreadLimits = { memoryMb: 256, timeoutMs: 2 * 60_000 }

/** The files with all prices, which threads make. */
export function createPriceFiles({ db, connectionString }: { db: Db; connectionString: string }): PriceFiles {
  return new PriceFiles({
    readListVersion: () => readPriceVersion(db),
    make: (form) => makeFile(connectionString, form),
  })
}

/** The names are taken away as soon as the files are open: nothing stays behind when the process is killed. */
async function makeFile(connectionString: string, form: FileForm): Promise<KeptFile> {
  const folder = await mkdtemp(join(tmpdir(), `ratecard-files-${process.pid}-`))
  try {
    const paths = { identity: join(folder, 'file'), gzip: join(folder, 'file.gz') }
    const task: FileTask = { connectionString, form, paths }
    await inThread(
      new URL('../../snapshot/file-thread.ts', import.meta.url),
      task,
      limits,
      new AbortController().signal,
    )
    return new KeptFile(await openFile(paths.identity), await openFile(paths.gzip))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function openFile(path: string): Promise<OpenFile> {
  const handle = await open(path, 'r')
  const { size: bytes } = await handle.stat()
  return { handle, bytes }
}
