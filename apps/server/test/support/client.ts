import { expect } from 'vitest'
import { contractComplaints, type Answer } from './contract-check.ts'

export interface RequestOptions {
  key?: string
  method?: string
  headers?: Record<string, string>
  /** Sent as JSON, unless it is text or bytes. */
  body?: unknown
}

/** Sends a request to a server under test, and checks every answer against the contract. */
export async function request(baseUrl: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  const { key, method = 'GET', body } = options
  const isJson = body !== undefined && typeof body !== 'string' && !(body instanceof Uint8Array)
  const response = await fetch(baseUrl + path, {
    method,
    redirect: 'manual',
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(isJson && { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body !== undefined && { body: isJson ? JSON.stringify(body) : (body as string) }),
  })
  const text = await response.text()
  const isJsonAnswer = response.headers.get('content-type')?.startsWith('application/json')
  const answer = {
    status: response.status,
    headers: response.headers,
    body: isJsonAnswer ? (JSON.parse(text) as unknown) : text,
  }
  expect(
    contractComplaints(method, path.split('?')[0] ?? '', answer),
    `${method} ${path} -> ${response.status} ${text.slice(0, 300)}`,
  ).toEqual([])
  return answer
}
