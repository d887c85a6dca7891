import type { Request, Response } from 'express'
import { codingFor } from '../pipeline/codings.ts'
import type { ListBytes } from './list-bytes.ts'

/** Sends a list in the coding that the client prefers. */
export async function sendList(req: Request, res: Response, list: ListBytes): Promise<void> {
  const coding = list.codingFor(codingFor(req.headers['accept-encoding']))
  const bytes = await list.encode(coding)
  res.status(200)
  res.setHeader('Content-Type', 'application/json; charset=utf-8')
  if (coding !== 'identity') res.setHeader('Content-Encoding', coding)
  res.setHeader('Content-Length', bytes.length)
  res.end(bytes)
}
