import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { z } from 'zod'
import { UserError } from '../platform/user-error.ts'
import {
  countLines,
  endOfRows,
  endSchema,
  formatName,
  formatVersion,
  headerSchema,
  lineBytesMax,
  tableSchema,
  type BackupEnd,
  type BackupHeader,
} from './format.ts'

export interface BackupReader {
  /** Reads the header; before anything else, and once. */
  header: () => Promise<BackupHeader>
  /** The tables in their order. The rows of one must be read before the next one is asked for. */
  tables: (header: BackupHeader) => AsyncGenerator<TableRows>
}

interface TableRows {
  name: string
  columns: readonly string[]
  /** Whole lines, as COPY takes them. */
  rows: AsyncGenerator<Buffer>
}

/** Reads a whole backup and compares it with its checksum: a file that passes is one that was written to its end. */
export async function checkBackup(
  path: string,
  onProgress: (bytes: number) => void,
): Promise<{ header: BackupHeader; rows: number }> {
  let total = 0
  let bytes = 0
  const header = await readBackup(path, async (reader) => {
    const found = await reader.header()
    for await (const { rows } of reader.tables(found)) {
      for await (const lines of rows) {
        total += countLines(lines)
        bytes += lines.length
        onProgress(bytes)
      }
    }
    return found
  })
  return { header, rows: total }
}

/**
 * Runs `work` on the file at `path`.
 * @throws UserError when it is not a whole backup: also when all but its end was handed out by then
 */
export async function readBackup<T>(path: string, work: (reader: BackupReader) => Promise<T>): Promise<T> {
  const file = createReadStream(path)
  const text = file.pipe(createGunzip())
  file.on('error', (error) => text.destroy(error))
  try {
    return await work(new Reader(path, text))
  } catch (error) {
    throw explain(path, error)
  } finally {
    file.destroy()
    text.destroy()
  }
}

class Reader implements BackupReader {
  readonly #path: string
  readonly #blocks: AsyncGenerator<Buffer, void>
  readonly #hash: Hash = createHash('sha256')
  /** Whole lines that were read and not used yet. */
  #rest: Buffer = Buffer.alloc(0)

  constructor(path: string, text: Readable) {
    this.#path = path
    this.#blocks = wholeLines(text)
  }

  async header(): Promise<BackupHeader> {
    const line = await this.#line()
    this.#hash.update(line)
    const parsed = parse(line) as { format?: unknown; version?: unknown } | null
    if (parsed?.format !== formatName) throw new UserError(`${this.#path} is no backup of Ratecard.`)
    if (parsed.version !== formatVersion)
      throw new UserError(
        `${this.#path} is a backup of form ${String(parsed.version)}, and this release reads form ${formatVersion}. Restore it with the release that made it, or a newer one.`,
      )
    return this.#read(headerSchema, line)
  }

  async *tables(header: BackupHeader): AsyncGenerator<TableRows> {
    const counts: Record<string, number> = {}
    for (const { name, columns } of header.tables) {
      const line = await this.#line()
      this.#hash.update(line)
      if (this.#read(tableSchema, line).table !== name) throw new Damaged('its tables are in another order')
      counts[name] = 0
      yield { name, columns, rows: this.#rows((count) => (counts[name]! += count)) }
    }
    await this.#end(counts)
  }

  async *#rows(onRows: (count: number) => void): AsyncGenerator<Buffer> {
    for (;;) {
      const block = await this.#block()
      const at = findEnd(block)
      const rows = at < 0 ? block : block.subarray(0, at)
      if (at >= 0) this.#rest = block.subarray(at + endMark.length)
      this.#hash.update(at < 0 ? block : block.subarray(0, at + endMark.length))
      onRows(countLines(rows))
      if (rows.length > 0) yield rows
      if (at >= 0) return
    }
  }

  async #end(counts: Record<string, number>): Promise<void> {
    const end: BackupEnd = this.#read(endSchema, await this.#line())
    if (end.sha256 !== this.#hash.digest('hex')) throw new Damaged('its checksum is another one')
    if (Object.entries(counts).some(([name, count]) => end.rows[name] !== count))
      throw new Damaged('rows are missing')
    if (this.#rest.length > 0 || !(await this.#blocks.next()).done)
      throw new Damaged('there is more behind its end')
  }

  #read<Schema extends z.ZodType>(schema: Schema, line: Buffer): z.infer<Schema> {
    const read = schema.safeParse(parse(line))
    if (!read.success) throw new Damaged('a line is not as this release reads it')
    return read.data
  }

  async #line(): Promise<Buffer> {
    const block = await this.#block()
    const end = block.indexOf('\n') + 1
    this.#rest = block.subarray(end)
    return block.subarray(0, end)
  }

  async #block(): Promise<Buffer> {
    const rest = this.#rest
    this.#rest = Buffer.alloc(0)
    if (rest.length > 0) return rest
    const next = await this.#blocks.next()
    if (next.done) throw new Damaged('it ends too early')
    return next.value
  }
}

class Damaged extends Error {}

const endMark = Buffer.from(`${endOfRows}\n`)
const endMarkInside = Buffer.from(`\n${endOfRows}\n`)

/** Where the line is that ends the rows; -1: it is not in this block. */
function findEnd(block: Buffer): number {
  if (block.subarray(0, endMark.length).equals(endMark)) return 0
  const at = block.indexOf(endMarkInside)
  return at < 0 ? -1 : at + 1
}

/** The same bytes, cut at the ends of lines. */
async function* wholeLines(text: Readable): AsyncGenerator<Buffer, void> {
  let begun: Buffer[] = []
  let begunBytes = 0
  for await (const chunk of text as AsyncIterable<Buffer>) {
    const end = chunk.lastIndexOf('\n') + 1
    if (end > 0) {
      yield Buffer.concat([...begun, chunk.subarray(0, end)])
      begun = []
      begunBytes = 0
    }
    begun.push(chunk.subarray(end))
    begunBytes += chunk.length - end
    if (begunBytes > lineBytesMax) throw new Damaged('a line is too long')
  }
  if (begunBytes > 0) throw new Damaged('it ends within a line')
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString())
  } catch {
    return null
  }
}

const unreadable: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it is not yours to read',
}

function explain(path: string, error: unknown): unknown {
  const { code = '', message } = error as NodeJS.ErrnoException
  if (code in unreadable) return new UserError(`Cannot read ${path}: ${unreadable[code]}.`, { cause: error })
  if (code === 'Z_DATA_ERROR' && message === 'incorrect header check')
    return new UserError(`${path} is no backup of Ratecard.`, { cause: error })
  const why = code.startsWith('Z_') ? message : error instanceof Damaged ? error.message : null
  if (why === null) return error
  return new UserError(`${path} is damaged or was cut off: ${why}. Nothing was restored.`, { cause: error })
}
