import { setTimeout } from 'node:timers/promises'
import { head } from '../../../../apps/server/test/support/raw-http.ts'
import type { Attack } from '../attack.ts'
import type { Cast } from '../cast.ts'
import { Sockets } from '../sockets.ts'

// Answers that the client does not read, and many requests in one write. The large file comes first where answers are
// small: it fills the system's buffer of a connection, and all other answers wait in the server.

export const largeFile = '/snapshot.json'
const waveMs = 2_000

interface Surge {
  name: string
  means: string
  connections: number
  bytes: (cast: Cast) => string
  everyMs?: number
  isDeaf?: boolean
}

/** New connections again and again beside those there are, each with all its requests in one write. */
function surge({ name, means, connections, bytes, everyMs = waveMs, isDeaf = false }: Surge): Attack {
  return {
    name,
    means,
    async run(target) {
      const { tally, signal, cast } = target
      const sockets = new Sockets(target)
      const text = bytes(cast)
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
    },
    landed: ({ opened }) => opened >= connections,
  }
}

const small = head('GET /dashboard/api/me')
const large = head(`GET ${largeFile}`)

export const unreadAnswers: readonly Attack[] = [
  surge({
    name: 'unread answers, no key',
    means: 'every 2 s 3 connections of 400 requests in one write (17 KB), none of which reads',
    connections: 3,
    bytes: () => large.repeat(3) + small.repeat(400),
    isDeaf: true,
  }),
  surge({
    name: 'unread answers, with a key',
    means:
      'every 4 s 4 connections of 500 requests for 500 prices in one write (66 KB), none of which reads; a paid key',
    connections: 4,
    everyMs: 4_000,
    bytes: ({ paidKey }) => head('GET /v1/prices?limit=500', `Authorization: Bearer ${paidKey}`).repeat(500),
    isDeaf: true,
  }),
  surge({
    name: 'unread answers, few on each',
    means:
      'every 2 s 100 connections of 6 requests, the first for the largest file, none of which reads; no key',
    connections: 100,
    bytes: () => large + small.repeat(5),
    isDeaf: true,
  }),
  surge({
    name: 'pipelined files',
    means: 'every 4 s 1 connection of 300 requests for the largest file in one write, compressed, all read',
    connections: 1,
    everyMs: 4_000,
    bytes: () => head(`GET ${largeFile}`, 'Accept-Encoding: br').repeat(300),
  }),
  surge({
    name: 'pipelined public pages',
    means: 'every 4 s 5 connections of 1,200 requests for a change in one write, all read',
    connections: 5,
    everyMs: 4_000,
    bytes: () => head('GET /changes/chg_1').repeat(1_200),
  }),
]
