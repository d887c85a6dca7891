import type { Request, Response } from 'express'
import type { Db } from '../../database/connect.ts'
import type { Replica } from '../../database/replica.ts'
import { codingFor } from '../codings.ts'
import { pageBody, ListBytes } from './list-bytes.ts'
import { reserveUnkept, type PageDemand, type ListCache } from './list-cache.ts'
import type { BadRow, ListCheck } from './list-check.ts'
import type { ListOperationId, PageResult } from '../operation.ts'
import type { Verdict } from '../../features/metering/meter.ts'
import type { Logger } from '../../platform/logger.ts'

export interface PageServices {
  /** Null: each request reads its page. */
  store: ListCache | null
  check: ListCheck
  db: Db
  replica: Replica | null
  logger: Logger
}

export interface PageRequest extends Pick<PageDemand, 'reserve' | 'giveBack'> {
  operation: ListOperationId
  page: PageResult['page']
  /** Sets the headers of a unit, or throws what the verdict is instead. */
  accept: (verdict: Verdict) => void
}

/** Reserves and sends the page. Returns the key by which it is kept. */
export async function sendPage(
  req: Request,
  res: Response,
  { store, check, db, replica, logger }: PageServices,
  { operation, page: { shows, read }, reserve, giveBack, accept }: PageRequest,
): Promise<string> {
  const key = `${operation} ${JSON.stringify(shows)}`
  const readFrom = async (source: Db) => {
    const text = await read(source)
    const { body, badRows } = check(operation, pageBody(text))
    if (badRows.length > 0) tellOnce(logger, operation, badRows)
    return new ListBytes(text.version, Buffer.from(body))
  }
  const demand = {
    key,
    read: () => readFrom(db),
    readReplica: replica && (() => replica.read(readFrom)),
    reserve,
    giveBack,
  }
  const { page, verdict } = await (store ? store.reserve(demand) : reserveUnkept(demand))
  accept(verdict)
  if (!page) throw new Error('A unit was taken and no page read.')

  const coding = page.codingFor(codingFor(req.headers['accept-encoding']))
  const bytes = await page.encode(coding)
  store?.resize(key, page)
  res.status(200)
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  if (coding !== 'identity') res.setHeader('Content-Encoding', coding)
  res.setHeader('Content-Length', bytes.length)
  res.end(bytes)
  return key
}

/** Rows that the log has named, in the state they were in. Where no page is kept, each request reads them again. */
const told = new Set<string>()
const toldMax = 1_000

function tellOnce(logger: Logger, operation: ListOperationId, badRows: readonly BadRow[]): void {
  const fresh = badRows.filter((row) => !told.has(JSON.stringify(row)))
  if (fresh.length === 0) return
  if (told.size > toldMax) told.clear()
  for (const row of fresh) told.add(JSON.stringify(row))
  const rows = fresh.map(({ isLeftOut, ...row }) => ({ ...row, left_out: isLeftOut }))
  logger.error({ operation, rows }, 'rows are not as the contract says: served without what is wrong')
}
