import { expect, test } from 'vitest'
import { compareBill, readBill, type BillComparison, type BillRow } from '../../src/bill.ts'
import { Catalog } from '../../src/index.ts'
import {
  anthropicCsv,
  anthropicReport,
  anthropicUsage,
  consoleNames,
  logOf,
  openAiCosts,
  openAiCsv,
  openAiTotals,
  openAiUsage,
} from './exports.ts'
import {
  inUsage,
  knowable,
  plant,
  plantLine,
  plantMidnight,
  plantSearches,
  unknowable,
  type Plant,
} from './plants.ts'
import { snapshot } from './prices.ts'
import { between, makeWorld, oneOf, randomOf, type Planted, type Random, type World } from './world.ts'

// 200 bills in the vendors' shapes with causes that are known, several at once, none, and such that nobody can know.

const catalog = new Catalog(snapshot)

interface Form {
  name: string
  vendor: World['vendor']
  write: (world: World) => string
  bills: number
  plants?: readonly Plant[]
  /** Totals and cents are too coarse: what is named must be right, and need not be. */
  isCoarse?: boolean
}

const forms: readonly Form[] = [
  { name: 'costs API', vendor: 'openai', write: (world) => openAiCosts(world, false), bills: 40 },
  {
    name: 'costs API with quantities',
    vendor: 'openai',
    write: (world) => openAiCosts(world, true),
    bills: 30,
  },
  { name: 'costs CSV', vendor: 'openai', write: openAiCsv, bills: 30 },
  { name: 'usage API', vendor: 'openai', write: openAiUsage, bills: 15, plants: inUsage },
  { name: 'costs without line items', vendor: 'openai', write: openAiTotals, bills: 10, isCoarse: true },
  { name: 'cost report', vendor: 'anthropic', write: (world) => anthropicReport(world, false), bills: 30 },
  {
    name: 'cost report by geography',
    vendor: 'anthropic',
    write: (world) => anthropicReport(world, true),
    bills: 20,
  },
  { name: 'usage report', vendor: 'anthropic', write: anthropicUsage, bills: 15, plants: inUsage },
  { name: 'console CSV in cents', vendor: 'anthropic', write: anthropicCsv, bills: 10, isCoarse: true },
]

function plantAll(world: World, random: Random, { plants, name }: Form): void {
  if (random() < 0.12) return
  for (let count = between(random, 1, 4); count > 0; count -= 1) {
    const turn = random()
    // The completions usage of OpenAI has no searches, and reports of usage have no lines of anything else.
    if (turn < 0.1 && name !== 'usage API') plantSearches(world, random)
    else if (turn < 0.18 && plants === undefined && !name.startsWith('console')) plantLine(world, random)
    else if (turn < 0.24) plantMidnight(world, random)
    else
      plant(
        world,
        random,
        oneOf(random, turn < 0.36 && plants === undefined ? unknowable : (plants ?? knowable)),
      )
  }
}

const sum = { rows: 0, named: 0, open: 0, unknown: 0, coarse: 0, coarseNamed: 0 }

/** Each row by what was planted there. */
function judge({ rows }: BillComparison, planted: readonly Planted[], form: Form, bill: number): string[] {
  const wrong: string[] = []
  const seen = new Set<Planted>()
  for (const row of rows) {
    const here = planted.filter((one) => isOf(row, one, form))
    for (const one of here) seen.add(one)
    const named = row.causes.map(({ kind }) => kind).filter((kind) => kind !== 'rounding')
    const isKnowable = here.every(({ kinds }) => kinds !== null)
    const truth = isKnowable ? [...new Set(here.flatMap(({ kinds }) => kinds ?? []))] : []
    const isRight = [...named].sort().join() === truth.sort().join()
    sum.rows += 1
    if (named.length > 0 ? !isRight : here.length === 0 && row.state !== 'equal' && form.isCoarse !== true)
      wrong.push(
        `${bill}, ${form.name}, ${row.day} ${row.model ?? row.item}: ${JSON.stringify(row)} for ${truth.join()}`,
      )
    else if (here.length === 0) continue
    else if (form.isCoarse) sum[named.length > 0 ? 'coarseNamed' : 'coarse'] += 1
    else if (!isKnowable) sum.unknown += 1
    else {
      sum[named.length > 0 ? 'named' : 'open'] += 1
      if (named.length === 0)
        console.log(
          `Not named: ${form.name}, ${truth.join(' and ')}: ${row.wouldFit.join(' | ')} (${row.difference})`,
        )
    }
  }
  for (const one of planted)
    if (!seen.has(one)) wrong.push(`${bill}, ${form.name}: no row of ${JSON.stringify(one)}`)
  return wrong
}

function isOf(row: BillRow, { day, model, item }: Planted, { name }: Form): boolean {
  if (row.day !== day) return false
  if (name === 'costs without line items') return true
  const spelled = model !== null && name.startsWith('console') ? consoleNames[model] : model
  return row.model === spelled && row.item === item
}

test('of 200 bills the planted causes are named, and none wrongly', async () => {
  const random = randomOf(20_261_126)
  const wrong: string[] = []
  let bills = 0
  for (const form of forms)
    for (let bill = 0; bill < form.bills; bill += 1) {
      bills += 1
      const world = makeWorld(random, form.vendor)
      plantAll(world, random, form)
      const found = await compareBill(readBill(form.write(world)), { catalog, log: () => logOf(world) })
      wrong.push(...judge(found, world.planted, form, bill))
    }
  const planted = sum.named + sum.open
  console.log(
    `${bills} bills, ${sum.rows} rows. Of ${planted} causes that can be known ${sum.named} are named (${((100 * sum.named) / planted).toFixed(1)} %). ` +
      `Wrong: ${wrong.length}. That nobody can know: ${sum.unknown}, none named. Too coarse: ${sum.coarse + sum.coarseNamed}, of them ${sum.coarseNamed} named rightly.`,
  )
  expect(wrong).toEqual([])
  expect(bills).toBe(200)
  expect(sum.named / planted).toBeGreaterThanOrEqual(0.95)
  expect(planted).toBeGreaterThan(250)
  expect(sum.unknown).toBeGreaterThan(20)
})
