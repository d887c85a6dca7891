import { isDeepStrictEqual } from 'node:util'
import { join } from 'node:path'
import { say, type Aim } from '../frame/figures.ts'
import { runCommand, startPeer, startServer, type Serving } from '../frame/processes.ts'
import { alternate, perSecond, ratioFigure, roundsTable } from '../frame/rounds.ts'
import type { Sample } from './load.ts'
import { columns, measure, type Measurement, type Part, type Setup, type Subject } from './measure.ts'

// A page that was served before, as a client that polls gets it: the newest 100 prices, the same for all customers. Ratecard
// authenticates, entitles, validates and counts each request, and its page is the one of this moment.

export const ours = 'Ratecard'
const bare = 'bare node:http'
const textbook = 'textbook'
const textbookUnchecked = 'textbook, answers unchecked'
const fastifyPeer = 'Fastify'

export const cpuAgainstBare = 'CPU of the server against bare node:http'
export const pagePath = '/v1/prices?limit=100'

/** @param isGate one hot key alone, beside what CI holds it against */
export async function measureServedPages({ cluster, load, effort }: Setup, isGate: boolean): Promise<Part> {
  await using running = new AsyncDisposableStack()
  const database = running.use(await cluster.openDatabase('served'))
  const { connectionString: DATABASE_URL, keys, countedUnits, countedByPeers } = database
  await runCommand(['prices', 'import', '--source', 'genai-prices'], DATABASE_URL)
  const logFile = join(cluster.folder, 'served.log')
  const server = running.use(await startServer(ours, { connectionString: DATABASE_URL, logFile }))
  // Every peer sends what the server sends, to the value; the bare one to the byte.
  const page = await fetchPage(server.port, keys[0]!)
  const wanted: unknown = JSON.parse(page)
  const checkSample = ({ body }: Sample) => {
    if (!isDeepStrictEqual(JSON.parse(body), wanted)) throw new Error(`Not the page: ${body.slice(0, 500)}`)
  }
  const subjects = new Map<string, Subject>()
  const add = (serving: Serving, countUnits: Subject['countUnits']) =>
    subjects.set(serving.name, { serving, countUnits, checkSample })
  const addPeer = async (name: string, file: string, env: Record<string, string>) => {
    const peer = running.use(await startPeer(file, env))
    add({ name, ...peer }, 'DATABASE_URL' in env ? countedByPeers : null)
  }
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  await addPeer(bare, 'bare-http.ts', { ANSWER: JSON.stringify({ headers, body: page }) })
  add(server, countedUnits)
  if (!isGate) {
    await addPeer(fastifyPeer, 'fastify.ts', { DATABASE_URL })
    await addPeer(textbook, 'textbook.ts', { DATABASE_URL, CHECK_ANSWERS: 'yes' })
    await addPeer(textbookUnchecked, 'textbook.ts', { DATABASE_URL, CHECK_ANSWERS: 'no' })
  }

  const bytes = Buffer.byteLength(page)
  const size = `${Math.round(bytes / 1_000)} KB, ${effort.connections} connections`
  const compare = async (who: string, which: string, keysAsked: string[], warmUpMs: number) => {
    say(`A page that was served before, ${bytes} bytes, ${which}`)
    const rounds = await alternate([...subjects.keys()], { ...effort, warmUpMs }, (name, durationMs) => {
      const { connections } = effort
      const job = { connections, durationMs, paths: [pagePath], keys: keysAsked, once: false }
      return measure(load, subjects.get(name)!, cluster.pid, job)
    })
    const ratio = (what: string, pair: [string, string], pick: (one: Measurement) => number, aim?: Aim) =>
      pair.every((name) => rounds.has(name))
        ? [ratioFigure(`page served before, ${who}: ${what}`, rounds, pair, pick, aim)]
        : []
    const micros = ({ serverMicros }: Measurement) => serverMicros
    const allMicros = ({ serverMicros, postgresMicros }: Measurement) => serverMicros + postgresMicros
    return {
      table: roundsTable(`A page served before (${size}), ${which}`, rounds, columns),
      aims: [
        ...ratio('requests/s against bare node:http', [ours, bare], perSecond, { least: 0.5 }),
        ...ratio('against the textbook', [ours, textbook], perSecond, { least: 20 }),
        ...ratio('against the textbook, answers unchecked', [ours, textbookUnchecked], perSecond),
        ...ratio('against Fastify', [ours, fastifyPeer], perSecond),
        // Other work on the machine does not change this ratio.
        ...ratio(cpuAgainstBare, [ours, bare], micros, { most: 2 }),
        ...ratio("CPU with PostgreSQL, the textbook's against ours", [textbook, ours], allMicros),
      ],
    }
  }
  const hot = await compare('one key', 'one hot key', keys.slice(0, 1), effort.warmUpMs)
  if (isGate) return { aims: hot.aims }
  const many = await compare('1,000 keys', `${keys.length} keys in turn`, keys, 0)
  return { tables: [hot.table, many.table], aims: [...hot.aims, ...many.aims] }
}

async function fetchPage(port: number, key: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${pagePath}`, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
  })
  if (response.status !== 200) throw new Error(`${pagePath} answered ${response.status}.`)
  return response.text()
}
