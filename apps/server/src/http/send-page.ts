import type { Request, Response } from 'express'
import type { Db } from '../database/connect.ts'
import type { Replica } from '../database/replica.ts'
import { pageBody, PageBytes, preferredCoding } from './page-bytes.ts'
import { reserveUnkept, type PageDemand, type PageStore } from './page-store.ts'
import type { PageCheck } from './page-check.ts'
import type { ListOperationId, PageResult } from './operation.ts'
import type { Verdict } from '../features/metering/meter.ts'

export interface PageServices {
  /** Null: each request reads its page. */
  store: PageStore | null
  check: PageCheck
  db: Db
  replica: Replica | null
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
  { store, check, db, replica }: PageServices,
  { operation, page: { shows, read }, reserve, giveBack, accept }: PageRequest,
): Promise<string> {
  const key = `${operation} ${JSON.stringify(shows)}`
  const readFrom = async (source: Db) => {
    const text = await read(source)
    const body = pageBody(text)
    check(operation, JSON.parse(body))
    return new PageBytes(text.version, Buffer.from(body))
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

  // What is not usual is left to the compression middleware.
  const coding = page.codingFor(preferredCoding(req.headers['accept-encoding']) ?? 'identity')
  const bytes = await page.encode(coding)
  store?.resize(key, page)
  res.status(200)
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  if (coding !== 'identity') res.setHeader('Content-Encoding', coding)
  res.setHeader('Content-Length', bytes.length)
  res.end(bytes)
  return key
}
