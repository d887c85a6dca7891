import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { figureTable, formatText, isMissed, say, type Figure } from './figures.ts'

// Every benchmark, one after the other, and one table at the end. Run alone, each of them prints more.

const benchmarks = [
  'api',
  'pages',
  'deliveries',
  'sdk',
  'webhooks',
  'cost',
  'packages',
  'abuse',
  'judgement',
] as const

const { values: options } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
})
/** Smaller, by each one's own means. */
const quickWords: Record<(typeof benchmarks)[number], string[]> = {
  api: ['--quick'],
  pages: ['--rows', '100000'],
  deliveries: ['--only', 'rate'],
  sdk: ['--quick'],
  webhooks: ['--quick'],
  cost: ['--quick'],
  packages: ['--quick'],
  abuse: ['--seconds', '3'],
  judgement: ['--only', 'rows'],
}

const figures: Figure[] = []
for (const benchmark of benchmarks) {
  say(`\n${benchmark}`)
  const file = fileURLToPath(new URL(`${benchmark}.ts`, import.meta.url))
  const words = options.quick ? quickWords[benchmark] : []
  const child = spawn(process.execPath, [file, '--json', ...words], { stdio: ['ignore', 'pipe', 'inherit'] })
  const closed = once(child, 'close')
  const output = await text(child.stdout)
  await closed
  // 1 says that an aim is missed; any other failure left no figures.
  if (output === '') {
    say(`${benchmark} ended with ${child.exitCode} and has no figures.`)
    process.exitCode = 1
    continue
  }
  const result = JSON.parse(output) as { figures: Figure[] }
  figures.push(...result.figures.map((figure) => ({ ...figure, name: `${benchmark}: ${figure.name}` })))
}

if (options.json) console.log(JSON.stringify({ figures }))
else console.log(`\n${formatText(figureTable('All benchmarks', figures))}`)
if (figures.some(isMissed)) process.exitCode = 1
