import { parseArgs } from 'node:util'
import { openBrowser } from '../../apps/dashboard/e2e/browser.ts'
import { visitFirst, type FirstVisit } from '../../apps/dashboard/e2e/first-visit.ts'
import { startProduct } from '../../apps/dashboard/e2e/product.ts'
import { say, shown, type Figure, type Table } from './figures.ts'
import { describeMachine } from './machine.ts'
import { effortOptions, outputOptions } from './options.ts'
import { reportResults } from './results.ts'
import { median } from './statistics.ts'

// What the public pages cost who opens them for the first time, on a slow phone: in a real Chromium, throttled by its own
// tools.

const { values: options } = parseArgs({ options: { ...effortOptions, ...outputOptions } })
const rounds = Number(options.rounds ?? (options.quick ? 1 : 5))

const kb = 1_000
const firstContentMost = 60 * kb
const referenceMost = 200 * kb
const largestMostMs = 1_000

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
const visits = new Map<string, FirstVisit[]>(pages.map((path) => [path, []]))
try {
  // The first who asks waits for the catalogue: a page that is kept is what is measured.
  for (const path of pages) await (await fetch(product.url + path)).arrayBuffer()
  for (let round = 1; round <= rounds; round += 1) {
    for (const path of pages) visits.get(path)!.push(await visitFirst(browser, product.url, path))
    say(`Round ${round} of ${rounds}`)
  }
} finally {
  await browser.close()
  await product.stop()
}

const middle = (path: string, pick: (visit: FirstVisit) => number) => median(visits.get(path)!.map(pick))
const figures = pages.flatMap((path): Figure[] => {
  const most = path === '/docs/' ? referenceMost : firstContentMost
  const bytes = path === '/docs/' ? ('totalBytes' as const) : ('firstBytes' as const)
  return [
    { name: `${path}: ${bytes}`, unit: 'bytes', value: middle(path, (one) => one[bytes]), aim: { most } },
    // The reference is read, and not landed on: its style is a file of its own.
    ...(path === '/docs/'
      ? []
      : [
          {
            name: `${path}: requests before first content`,
            unit: '',
            value: middle(path, (one) => one.blocking),
            aim: { most: 0 },
          },
        ]),
    {
      name: `${path}: largest content`,
      unit: 'ms',
      value: middle(path, ({ largestMs }) => largestMs),
      aim: { most: largestMostMs },
    },
    { name: `${path}: layout shift`, unit: '', value: middle(path, ({ shift }) => shift), aim: { most: 0 } },
  ]
})
const table: Table = {
  title: 'A first visit on a slow phone',
  head: [
    '',
    'KB to first content',
    'other requests before it',
    'KB in all',
    'first ms',
    'largest ms',
    'shift',
  ],
  rows: pages.map((path) => [
    `\`${path}\``,
    shown(middle(path, ({ firstBytes }) => firstBytes) / kb),
    String(middle(path, ({ blocking }) => blocking)),
    shown(middle(path, ({ totalBytes }) => totalBytes) / kb),
    shown(middle(path, ({ firstMs }) => firstMs)),
    shown(middle(path, ({ largestMs }) => largestMs)),
    String(middle(path, ({ shift }) => shift)),
  ]),
}
await reportResults(
  options,
  { machine: describeMachine({ Chromium: browser.version() }), figures },
  [table],
  {
    name: 'budgets',
  },
)
