import type { Response } from 'express'
import { requireRightAnswer, type AnswerCheck } from '../contract/answer-check.ts'
import type { EncodedBody } from './encoded-body.ts'

/** What an operation answers: JSON as a value or as a body that was checked already, a file, or nothing. */
export interface SendableResult {
  status: number
  headers?: Record<string, string>
  body?: unknown
  json?: EncodedBody
  file?: { name: string; type: string; text: string }
}

/**
 * Sends what an operation returned, if it is as the contract says. Express's own `res.json` would answer 304 to
 * `If-None-Match: *`, for a request that was carried out and counted.
 */
export async function sendResult<Id extends string>(
  res: Response,
  id: Id,
  { status, headers = {}, body, json, file }: SendableResult,
  check: AnswerCheck<Id>,
): Promise<void> {
  if (body !== undefined) requireRightAnswer(check, id, status, body)
  const encoded = json && (await json.encodedFor(res.req.headers['accept-encoding']))
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  res.statusCode = status
  if (encoded) {
    if (encoded.coding !== 'identity') res.setHeader('Content-Encoding', encoded.coding)
    send(res, 'application/json', encoded.bytes)
  } else if (file) {
    res.setHeader('Content-Disposition', `attachment; filename="${file.name}"`)
    send(res, file.type, Buffer.from(file.text))
  } else if (body !== undefined) {
    send(res, 'application/json', Buffer.from(JSON.stringify(body)))
  } else {
    res.end()
  }
}

function send(res: Response, type: string, bytes: Buffer): void {
  res.setHeader('Content-Type', `${type}; charset=utf-8`)
  res.setHeader('Content-Length', bytes.length)
  res.end(bytes)
}
