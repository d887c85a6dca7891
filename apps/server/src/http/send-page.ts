import type { Request, Response } from 'express'
import { pageBody, PageBytes, preferredCoding } from './page-bytes.ts'
import { reserveFresh, type PageDemand, type PageStore } from './page-store.ts'
import type { PageCheck } from './page-check.ts'
import type { ListOperationId, PageResult } from './operation.ts'
import type { Verdict } from '../features/metering/meter.ts'

export interface PageServices {
  /** Null: each request reads its page. */
  store: PageStore | null
  check: PageCheck
}

export interface PageRequest extends Pick<PageDemand, 'reserve'> {
  operation: ListOperationId
  page: PageResult['page']
  /** Sets the headers of a unit, or throws what the verdict is instead. */
  accept: (verdict: Verdict) => void
}

/** Reserves and sends the page. Returns the key by which it is kept. */
export async function sendPage(
  req: Request,
  res: Response,
  { store, check }: PageServices,
  { operation, page: { shows, read }, reserve, accept }: PageRequest,
): Promise<string> {
  const key = `${operation} ${JSON.stringify(shows)}`
  const readChecked = async () => {
    const text = await read()
    const body = pageBody(text)
    check(operation, JSON.parse(body))
    return new PageBytes(text.version, Buffer.from(body))
  }
  const { page, verdict } = store
    ? await store.reserve({ key, read: readChecked, reserve })
    : await reserveFresh(await readChecked(), reserve)
  accept(verdict)

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
