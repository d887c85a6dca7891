import { createServer } from 'node:http'
import { announce, given } from './peer.ts'

// The limit: no key, no quota, no database. The bytes of an answer are there, and `node:http` writes them.

const answer = JSON.parse(given('ANSWER')) as { headers: Record<string, string>; body: string }
const bytes = Buffer.from(answer.body)
const headers = { ...answer.headers, 'content-length': bytes.length }

announce(
  createServer((_req, res) => {
    res.writeHead(200, headers)
    res.end(bytes)
  }),
)
