import { Agent } from 'node:http'
import { answers, type Attack, type Target } from '../attack.ts'
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
      const paths = await modelPaths(target)
      const agent = new Agent({ keepAlive: true, maxSockets: connections })
      let next = 0
      const walk = async () => {
        while (!target.signal.aborted) {
          await send(target, { path: addressOf(paths[next++ % paths.length]!), headers }, agent)
        }
      }
      await Promise.all(Array.from({ length: connections }, walk))
      agent.destroy()
    },
  }
}

/** As a crawler finds them, which is no part of what it is measured by. */
async function modelPaths({ port }: Target): Promise<string[]> {
  const map = await fetch(`http://127.0.0.1:${port}/sitemap.xml`)
  if (!map.ok) throw new Error(`The map of the site was answered ${map.status}.`)
  const paths = [...(await map.text()).matchAll(/<loc>[^<]*?(\/(?:models|sitemap-)[^<]*)<\/loc>/g)].map(
    ([, path = '']) => path.replaceAll('&amp;', '&'),
  )
  const parts = paths.filter((path) => path.startsWith('/sitemap-'))
  const more = await Promise.all(
    parts.map(async (part) => {
      const text = await (await fetch(`http://127.0.0.1:${port}${part}`)).text()
      return [...text.matchAll(/<loc>[^<]*?(\/models\/[^<]*)<\/loc>/g)].map(([, path = '']) => path)
    }),
  )
  const models = [...paths, ...more.flat()].filter((path) => path.startsWith('/models/'))
  if (models.length === 0) throw new Error('The map of the site names no model.')
  return models
}
