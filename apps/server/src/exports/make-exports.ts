import { createHash } from 'node:crypto'
import { text } from 'node:stream/consumers'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import {
  isCompressed,
  listExports,
  readMadeOf,
  replaceExportFiles,
  snapshotName,
  type ExportFile,
} from '../catalog/export-store.ts'
import { readPriceVersion } from '../catalog/price-store.ts'
import { hashSourceFiles } from '../ingest/run/source-files.ts'
import { toDay } from '../platform/day.ts'
import { readVersion } from '../platform/version.ts'
import { formNames, reportName } from './forms.ts'
import { licensedSnapshot } from '../snapshot/licensed.ts'
import { readSnapshot } from '../snapshot/read-snapshot.ts'
import { snapshotJson } from '../snapshot/write-text.ts'
import { reportText } from './report.ts'
import type { Signer } from './signature.ts'
import { readExportResources, readUpstream, writeExport } from './write-exports.ts'

/** Two workers that find the list moved: one makes the files. */
const makingLock = 7_310_014

/** Whether the files are of another list than that of now. */
export async function areExportsOld(db: Db, signer: Signer): Promise<boolean> {
  return (await readMadeOf(db)) !== (await readState(db, signer))
}

/** Makes the files anew, unless another process does so; all of them change at the same moment. */
export async function makeExports(db: Db, signer: Signer): Promise<boolean> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute(async (trx) => {
      const { rows } = await sql<{ isMine: boolean }>`
      select pg_try_advisory_xact_lock(${makingLock}::bigint) as "isMine"`.execute(trx)
      // What moves meanwhile is for the next time.
      const state = await readState(trx, signer)
      if (rows[0]?.isMine !== true || (await readMadeOf(trx)) === state) return false
      const known = await listExports(trx)
      const files: (ExportFile | Pick<ExportFile, 'name'>)[] = []
      let sums = ''
      const add = async (name: string, content: string | Buffer) => {
        const sha256 = hash(content)
        sums += `${sha256}  ${name}\n`
        const isKnown = known.get(name)?.sha256 === sha256
        files.push(isKnown ? { name } : { name, sha256, ...(await pack(name, Buffer.from(content))) })
      }
      const resources = await readExportResources(await readSnapshot(trx))
      for (const name of formNames) {
        const { content, report } = writeExport(name, resources, await readUpstream(trx, name))
        await add(report.file, content)
        const ofReport = reportName(report.file)
        if (!files.some(({ name }) => name === ofReport)) await add(ofReport, reportText(report))
      }
      // It has who says what, of which the others are without: it is read by itself, and no two are in memory.
      const open = licensedSnapshot(await readSnapshot(trx))
      await add(snapshotName, await text(Readable.from(snapshotJson(open))))
      const signed = sums
      await add('SHA256SUMS', signed)
      await add('SHA256SUMS.sig', signer.sign(signed))
      await add('ed25519.pem', signer.publicKey)
      await replaceExportFiles(trx, state, files)
      return true
    })
}

function hash(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}

async function pack(name: string, content: Buffer): Promise<Omit<ExportFile, 'name' | 'sha256'>> {
  if (isCompressed(name)) return { bytes: content.length, gzip: content, brotli: Buffer.alloc(0) }
  // As small as gzip's best in a tenth of the time that brotli's best takes.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 7, [constants.BROTLI_PARAM_SIZE_HINT]: content.length }
  return {
    bytes: content.length,
    gzip: await promisify(gzip)(content, { level: 9 }),
    brotli: await promisify(brotliCompress)(content, { params }),
  }
}

/**
 * What the files are made of: the list, the files of the sources, the day, this program and its key. Who says so, and
 * since when, moves without any price: hence the day.
 */
async function readState(db: Db, { publicKey }: Signer): Promise<string> {
  const lists = `${await readPriceVersion(db)}-${await hashSourceFiles(db)}-${toDay(new Date())}`
  return `${lists}-${readVersion()}-${hash(publicKey).slice(0, 8)}`
}
