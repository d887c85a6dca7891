import { Agent } from 'node:http'
import { answers, type Attack } from '../attack.ts'
import { send } from '../requests.ts'

// Crawlers: each connection asks for the next page as soon as it has the one before, for all pages that the map of the
// site names.

const connections = 50
const headers = { 'accept-encoding': 'gzip' }

export const crawls: readonly Attack[] = [
  crawl('crawl of model pages', (path) => path),
  crawl('crawl of pictures', (path) => `/pictures${path}.png`),
]

function crawl(name: string, addressOf: (modelPath: string) => string): Attack {
  return {
    name,
    means: `${connections} connections of one address, each without a pause, for all of them; no key`,
    landed: (tally) => answers(tally, 200) > 0,
    run: async (target) => {
      const paths = await modelPaths(`http://127.0.0.1:${target.port}`)
      const agent = new Agent({ keepAlive: true, maxSockets: connections })
      let next = 0
      const walk = async () => {
        while (!target.signal.aborted)
          await send(target, { path: addressOf(paths[next++ % paths.length]!), headers }, agent)
      }
      await Promise.all(Array.from({ length: connections }, walk))
      agent.destroy()
    },
  }
}

/** As a crawler finds them, which is no part of what it is measured by. */
async function modelPaths(origin: string): Promise<string[]> {
  const pathsIn = async (map: string) => {
    const answer = await fetch(origin + map)
    if (!answer.ok) throw new Error(`${map} was answered ${answer.status}.`)
    const found = (await answer.text()).matchAll(/<loc>[^<]*?(\/(?:models\/|sitemap-)[^<]*)<\/loc>/g)
    return [...found].map(([, path = '']) => path.replaceAll('&amp;', '&'))
  }
  const paths = await pathsIn('/sitemap.xml')
  const parts = paths.filter((path) => path.startsWith('/sitemap-'))
  const all = [...paths, ...(await Promise.all(parts.map(pathsIn))).flat()]
  const models = all.filter((path) => path.startsWith('/models/'))
  if (models.length === 0) throw new Error('The map of the site names no model.')
  return models
}
