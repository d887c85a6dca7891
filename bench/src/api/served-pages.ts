import { writeFile } from 'node:fs/promises'
import { isDeepStrictEqual } from 'node:util'
import { join } from 'node:path'
import type { Figure, Table } from '../figures.ts'
import { say } from '../figures.ts'
import { countedByPeers, countedUnits, type Cluster } from './database.ts'
import type { Sample } from './load.ts'
import { runCommand, startPeer, startServer, type Load, type Serving } from './processes.ts'
import {
  alternate,
  measure,
  rateFigure,
  ratioFigure,
  roundsTable,
  type Rounds,
  type Subject,
} from './rounds.ts'

// A page that was served before, as a client that polls gets it: the newest 100 prices, the same for all customers. Ratecard
// authenticates, entitles, validates and counts each request, and its page is the one of this moment.

export const ours = 'Ratecard'
const bare = 'bare node:http'
const textbook = 'textbook'
const textbookUnchecked = 'textbook, answers unchecked'
const fastifyPeer = 'Fastify'

export const pagePath = '/v1/prices?limit=100'

export interface Effort {
  rounds: number
  roundMs: number
  warmUpMs: number
  connections: number
}

export interface Part {
  tables: Table[]
  figures: Figure[]
  aims: Figure[]
}

export async function measureServedPages(
  cluster: Cluster,
  load: Load,
  effort: Effort,
): Promise<Part & { bars: { name: string; hot: number; many: number }[] }> {
  const database = await cluster.openDatabase('served')
  const { connectionString: DATABASE_URL, db, keys } = database
  const running: Serving[] = []
  const start = async (serving: Promise<Serving>) => {
    running.push(await serving)
    return await serving
  }
  try {
    await runCommand(['prices', 'import', '--source', 'genai-prices'], DATABASE_URL)
    const server = await start(
      startServer(ours, { connectionString: DATABASE_URL, logFile: join(cluster.folder, 'served.log') }),
    )
    // Every peer sends what the server sends, to the value; the bare one to the byte.
    const page = await fetchPage(server.port, keys[0] ?? '')
    const PAGE_FILE = join(cluster.folder, 'page.json')
    await writeFile(PAGE_FILE, page)
    const wanted: unknown = JSON.parse(page)
    const checkSample = ({ body }: Sample) => {
      if (!isDeepStrictEqual(JSON.parse(body), wanted)) throw new Error(`Not the page: ${body.slice(0, 500)}`)
    }
    const counted = () => countedUnits(db)
    const peers = () => countedByPeers(db)
    const subject = (serving: Serving, countUnits: Subject['countUnits']): [string, Subject] => [
      serving.name,
      { serving, countUnits, checkSample },
    ]
    const subjects = new Map([
      subject(await start(startPeer(bare, 'bare-http.ts', { PAGE_FILE })), null),
      subject(server, counted),
      subject(await start(startPeer(fastifyPeer, 'fastify.ts', { DATABASE_URL })), peers),
      subject(await start(startPeer(textbook, 'textbook.ts', { DATABASE_URL, CHECK_ANSWERS: 'yes' })), peers),
      subject(
        await start(startPeer(textbookUnchecked, 'textbook.ts', { DATABASE_URL, CHECK_ANSWERS: 'no' })),
        peers,
      ),
    ])
    const names = [...subjects.keys()]
    const run = (keysAsked: string[], durationMs: number) => (name: string) => {
      const chosen = subjects.get(name)
      if (!chosen) throw new Error(`There is no ${name}.`)
      const { connections } = effort
      const job = { connections, durationMs, paths: [pagePath], keys: keysAsked, once: false }
      return measure(load, chosen, cluster.pid, job)
    }
    const bytes = Buffer.byteLength(page)
    say(`A page that was served before, ${bytes} bytes: warming up`)
    for (const name of names) await run(keys, effort.warmUpMs)(name)
    say('One hot key')
    const hot = await alternate(names, effort.rounds, run(keys.slice(0, 1), effort.roundMs))
    say(`${keys.length} keys in turn`)
    const many = await alternate(names, effort.rounds, run(keys, effort.roundMs))
    const size = `${Math.round(bytes / 1_000)} KB, ${effort.connections} connections`
    return {
      tables: [
        roundsTable(`A page served before (${size}), one hot key`, hot),
        roundsTable(`A page served before (${size}), ${keys.length} keys in turn`, many),
      ],
      figures: [...rates('one key', hot), ...rates('1,000 keys', many)],
      aims: [...ratios('one key', hot), ...ratios('1,000 keys', many)],
      bars: names.map((name) => ({
        name,
        hot: rateFigure('', hot, name).value,
        many: rateFigure('', many, name).value,
      })),
    }
  } finally {
    for (const serving of running) await serving.stop()
    await database.close()
  }
}

function rates(who: string, rounds: Rounds): Figure[] {
  return [...rounds.keys()].map((name) => rateFigure(`served before, ${who}: ${name}`, rounds, name))
}

function ratios(who: string, rounds: Rounds): Figure[] {
  const page = `page served before, ${who}`
  return [
    ratioFigure(`${page}: requests/s against bare node:http`, rounds, [ours, bare], { aim: { least: 0.5 } }),
    ratioFigure(`${page}: against the textbook`, rounds, [ours, textbook], { aim: { least: 20 } }),
    ratioFigure(`${page}: against the textbook, answers unchecked`, rounds, [ours, textbookUnchecked]),
    ratioFigure(`${page}: against Fastify`, rounds, [ours, fastifyPeer]),
    // Other work on the machine does not change this ratio.
    ratioFigure(`${page}: CPU of the server against bare node:http`, rounds, [ours, bare], {
      pick: ({ serverMicros }) => serverMicros,
    }),
    ratioFigure(`${page}: CPU with PostgreSQL, the textbook's against ours`, rounds, [textbook, ours], {
      pick: ({ serverMicros, postgresMicros }) => serverMicros + postgresMicros,
    }),
  ]
}

async function fetchPage(port: number, key: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${pagePath}`, {
    headers: { authorization: `Bearer ${key}`, 'accept-encoding': 'identity' },
  })
  if (response.status !== 200) throw new Error(`${pagePath} answered ${response.status}.`)
  return response.text()
}
