import { join } from 'node:path'
import { openBrowser } from '../../apps/dashboard/e2e/browser.ts'
import { visitFirst, type FirstVisit } from '../../apps/dashboard/e2e/first-visit.ts'
import { startProduct } from '../../apps/dashboard/e2e/product.ts'
import { everyKind, findPage } from '../../apps/dashboard/e2e/public-pages.ts'
import { newestFiles, priceDataDir } from '../../apps/server/test/support/price-files.ts'
import { figureOf, figureTable, median, say, shown, type Figure } from './frame/figures.ts'
import { describeMachine } from './frame/machine.ts'
import { readOptions } from './frame/options.ts'
import { report } from './frame/report.ts'

// What the public pages cost who opens them for the first time, on a slow phone: in a real Chromium, throttled by its own
// tools. And what the server takes for a page of each kind with the prices of all lists, where their files are.

const options = readOptions('Measures first visits of the public pages on a slow phone: two minutes.', {
  rounds: ['visits of each page', 5, 1],
})

const kb = 1_000
const firstContentMost = 60 * kb
const referenceMost = 200 * kb
const largestMostMs = 1_000
const serverMostMs = 10
const serverRequests = 40

const pages = [
  '/',
  '/models',
  '/models/google/gemini-2.5-pro',
  '/compare?models=openai/gpt-4o,google/gemini-2.5-pro',
  '/changes',
  '/status',
  '/docs/',
]

const product = await startProduct()
const browser = await openBrowser()
const serverMs = new Map<string, number[]>()
const visits = new Map<string, FirstVisit[]>(pages.map((path) => [path, []]))
try {
  // The first who asks waits for the catalogue: a page that is kept is what is measured.
  for (const path of pages) await (await fetch(product.url + path)).arrayBuffer()
  for (let round = 1; round <= options.rounds; round += 1) {
    for (const path of pages) visits.get(path)!.push(await visitFirst(browser, product.url, path))
    say(`Round ${round} of ${options.rounds}`)
  }
  if (priceDataDir !== undefined) {
    for (const { source, path } of newestFiles)
      await product.ratecard('feed', 'run', source, '--file', join(priceDataDir, path))
    for (const kind of everyKind) serverMs.set(kind, await measureServer(kind))
  }
} finally {
  await browser.close()
  await product.stop()
}

/** How long answers to one request after the other take; the first makes the page. */
async function measureServer(kind: string): Promise<number[]> {
  const url = product.url + (await findPage(product.url, kind))
  const takenMs: number[] = []
  for (let sent = 0; sent <= serverRequests; sent += 1) {
    const begunAtMs = performance.now()
    await (await fetch(url)).arrayBuffer()
    takenMs.push(performance.now() - begunAtMs)
  }
  return takenMs.slice(1)
}

const middle = (path: string, what: keyof FirstVisit) => median(visits.get(path)!.map((one) => one[what]))
const figures = pages.flatMap((path): Figure[] => {
  const figure = (name: string, unit: string, what: keyof FirstVisit, most: number) =>
    figureOf(`${path}: ${name}`, unit, middle(path, what), { most })
  // The reference is read, and not landed on: its style is a file of its own.
  const first =
    path === '/docs/'
      ? [figure('totalBytes', 'bytes', 'totalBytes', referenceMost)]
      : [
          figure('firstBytes', 'bytes', 'firstBytes', firstContentMost),
          figure('requests before first content', '', 'blocking', 0),
        ]
  const largest = figure('largest content', 'ms', 'largestMs', largestMostMs)
  return [...first, largest, figure('layout shift', '', 'shift', 0)]
})
for (const [kind, takenMs] of serverMs)
  figures.push(figureOf(`server, ${kind}`, 'ms', takenMs, { most: serverMostMs }))
const columns: readonly [head: string, text: (path: string) => string][] = [
  ['', (path) => `\`${path}\``],
  ['KB to first content', (path) => shown(middle(path, 'firstBytes') / kb)],
  ['other requests before it', (path) => String(middle(path, 'blocking'))],
  ['KB in all', (path) => shown(middle(path, 'totalBytes') / kb)],
  ['first ms', (path) => shown(middle(path, 'firstMs'))],
  ['largest ms', (path) => shown(middle(path, 'largestMs'))],
  ['shift', (path) => String(middle(path, 'shift'))],
]
const table = {
  title: 'A first visit on a slow phone',
  head: columns.map(([head]) => head),
  rows: pages.map((path) => columns.map(([, text]) => text(path))),
}
const tables = [table, figureTable('Against the aims', figures)]
const machine = describeMachine({ Chromium: browser.version() })
await report(options, { name: 'budgets', figures, tables, data: { machine } })
