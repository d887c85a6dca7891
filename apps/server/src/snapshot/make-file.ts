import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inThread, type ThreadLimits } from '../threads/thread.ts'

/** An open file of a known size. It has no name any more: it goes with its handle, however the process ends. */
export interface OpenFile {
  handle: FileHandle
  bytes: number
}

/** What the thread of a file is told. */
export interface FileTask {
  connectionString: string
  /** Where it writes: the file as it is, and compressed. */
  paths: { identity: string; gzip: string }
}

// 9,000 prices take some seconds and less than 100 MB: a batch is in memory at a time.
const limits: ThreadLimits = { memoryMb: 256, timeoutMs: 2 * 60_000 }

/** Makes a file, as it is and compressed, in a thread. Nothing stays behind when the process is killed. */
export async function makeFile(connectionString: string): Promise<{ identity: OpenFile; gzip: OpenFile }> {
  const folder = await mkdtemp(join(tmpdir(), `ratecard-files-${process.pid}-`))
  try {
    const paths = { identity: join(folder, 'file'), gzip: join(folder, 'file.gz') }
    const task: FileTask = { connectionString, paths }
    await inThread(new URL('./file-thread.ts', import.meta.url), task, limits)
    return { identity: await openFile(paths.identity), gzip: await openFile(paths.gzip) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function openFile(path: string): Promise<OpenFile> {
  const handle = await open(path, 'r')
  const { size: bytes } = await handle.stat()
  return { handle, bytes }
}
