import type { Response } from 'express'
import { requireRightAnswer, type AnswerCheck } from '../contract/answer-check.ts'

/** What an operation answers: JSON as a value or as bytes that were checked already, a file, or nothing. */
export interface SendableResult {
  status: number
  headers?: Record<string, string>
  body?: unknown
  json?: Buffer
  file?: { name: string; type: string; text: string }
}

/**
 * Sends what an operation returned, if it is as the contract says. Express's own `res.json` would answer 304 to
 * `If-None-Match: *`, for a request that was carried out and counted.
 */
export function sendResult<Id extends string>(
  res: Response,
  id: Id,
  { status, headers = {}, body, json, file }: SendableResult,
  check: AnswerCheck<Id>,
): void {
  if (body !== undefined) requireRightAnswer(check, id, status, body)
  for (const [name, value] of Object.entries(headers)) res.setHeader(name, value)
  res.statusCode = status
  if (file) {
    res.setHeader('Content-Disposition', `attachment; filename="${file.name}"`)
    send(res, `${file.type}; charset=utf-8`, Buffer.from(file.text))
  } else if (json ?? body !== undefined) {
    send(res, 'application/json; charset=utf-8', json ?? Buffer.from(JSON.stringify(body)))
  } else {
    res.end()
  }
}

function send(res: Response, type: string, bytes: Buffer): void {
  res.setHeader('Content-Type', type)
  res.setHeader('Content-Length', bytes.length)
  res.end(bytes)
}
