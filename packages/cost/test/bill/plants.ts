import { o3Before, o3Day } from './prices.ts'
import { between, oneOf, type Random, type Tokens, type World, type WorldCall } from './world.ts'

// Why a bill is not what the log comes to. Each plant changes the world, and says what a comparison should find.

/** Null: there is nothing in this world that it could change. */
export type Plant = (
  world: World,
  random: Random,
  cell: { day: string; model: string },
  calls: WorldCall[],
) => string[] | null | 'none'

const isChat = (model: string) => !model.startsWith('text-')
const withCached = (calls: WorldCall[]) => calls.some(({ tokens }) => tokens.cached > 0)
const used = (calls: WorldCall[], kind: keyof Tokens) => calls.filter(({ tokens }) => tokens[kind] > 0)

/** All calls went through the batch API, and the log does not say so. */
const batch: Plant = (_world, _random, { model }, calls) => {
  if (!isChat(model)) return 'none'
  for (const call of calls) call.billed.tier = 'batch'
  return ['tier']
}

/** Some of them, where the bill says the tier. */
const someBatch: Plant = ({ vendor }, random, _cell, calls) => {
  if (vendor !== 'anthropic') return 'none'
  for (const call of calls.slice(0, between(random, 1, calls.length - 1))) call.billed.tier = 'batch'
  return ['tier']
}

/** Calls that asked for flex were served as standard. */
const flexRefused: Plant = ({ vendor }, random, { model }, calls) => {
  if (vendor !== 'openai' || !isChat(model)) return 'none'
  for (const call of calls.slice(0, between(random, 2, calls.length - 2))) call.logged!.tier = 'flex'
  return ['tier']
}

/** All were served with priority. */
const priority: Plant = ({ vendor }, _random, { model }, calls) => {
  if (vendor !== 'openai' || !isChat(model)) return 'none'
  for (const call of calls) call.billed.tier = 'priority'
  return ['tier']
}

/** The log counts what was read from the cache as plain input. */
const readsUnknown: Plant = (_world, _random, _cell, calls) => {
  if (!withCached(calls)) return 'none'
  for (const call of calls) {
    const { tokens } = call.logged!
    call.logged!.tokens = { ...tokens, input: tokens.input + tokens.cached, cached: 0 }
  }
  return ['cache']
}

/** Nothing came from the cache after all. */
const readsMissed: Plant = (_world, _random, _cell, calls) => {
  if (!withCached(calls)) return 'none'
  for (const { billed } of calls)
    billed.tokens = { ...billed.tokens, input: billed.tokens.input + billed.tokens.cached, cached: 0 }
  return ['cache']
}

/** The log does not say how long writes live; all live an hour. */
const lifeUnknown: Plant = ({ vendor }, _random, _cell, calls) => {
  if (vendor !== 'anthropic' || used(calls, 'write').length === 0) return 'none'
  for (const { logged, billed } of calls) {
    logged!.hasLife = false
    billed.tokens = { ...billed.tokens, write: 0, writeHour: billed.tokens.write + billed.tokens.writeHour }
  }
  return ['cache']
}

/** The log takes writes of an hour for such of five minutes. */
const lifeWrong: Plant = ({ vendor }, _random, _cell, calls) => {
  if (vendor !== 'anthropic' || used(calls, 'writeHour').length === 0) return 'none'
  for (const { logged } of calls)
    logged!.tokens = {
      ...logged!.tokens,
      write: logged!.tokens.write + logged!.tokens.writeHour,
      writeHour: 0,
    }
  return ['cache']
}

const region: Plant = ({ vendor }, _random, _cell, calls) => {
  if (vendor !== 'anthropic') return 'none'
  for (const { billed } of calls) billed.region = 'us'
  return ['region']
}

const notLogged: Plant = (_world, random, { model }, calls) => {
  if (!isChat(model)) return 'none'
  for (const call of calls.slice(0, between(random, 1, 4))) drop(call)
  return ['missing_in_log']
}

const notBilled: Plant = (_world, random, { model }, calls) => {
  if (!isChat(model)) return 'none'
  for (const call of calls.slice(0, between(random, 1, 4))) {
    call.isBilled = false
    // Its searches are a line of their own.
    call.searches = call.logged!.searches = 0
  }
  return ['missing_on_bill']
}

const dayNotLogged: Plant = (_world, _random, _cell, calls) => {
  for (const call of calls) drop(call)
  return ['missing_in_log']
}

/** The vendor bills the old price on the day of the cut. */
const oldPrice: Plant = ({ calls: all, vendor }, _random, cell) => {
  if (vendor !== 'openai' || cell.model !== 'o3-2025-04-16' || cell.day !== o3Day) return 'none'
  for (const { model, day, billed } of all) if (model === cell.model && day === o3Day) billed.rates = o3Before
  return ['price_change']
}

/** Two at once in one place. */
const batchInRegion: Plant = (world, random, cell, calls) => {
  if (region(world, random, cell, calls) === 'none') return 'none'
  for (const { billed } of calls) billed.tier = 'batch'
  return ['tier', 'region']
}
const batchAndLife: Plant = (world, random, cell, calls) => {
  if (lifeUnknown(world, random, cell, calls) === 'none') return 'none'
  for (const { billed } of calls) billed.tier = 'batch'
  return ['tier', 'cache']
}
const batchAndReads: Plant = (world, random, cell, calls) => {
  if (world.vendor !== 'openai' || readsMissed(world, random, cell, calls) === 'none') return 'none'
  for (const { billed } of calls) billed.tier = 'batch'
  return ['tier', 'cache']
}

// What nobody can know from a bill and a log.

const discount: Plant = (_world, _random, _cell, calls) => {
  for (const { billed } of calls) billed.share = [93n, 100n]
  return null
}
const ofNothing: Plant = (_world, random, _cell, calls) => {
  const { billed } = oneOf(random, calls)
  billed.share = [BigInt(between(random, 1_300, 1_900)) * 7n + 1n, 7_919n]
  return null
}
/** A part of the requests is batch and another is missing, where the bill does not tell tiers apart. */
const mixture: Plant = ({ vendor }, _random, { model }, calls) => {
  if (vendor !== 'openai' || !isChat(model)) return 'none'
  const third = Math.floor(calls.length / 3)
  for (const { billed } of calls.slice(0, third)) billed.tier = 'batch'
  for (const call of calls.slice(third, third + 2)) drop(call)
  return null
}

function drop(call: WorldCall): void {
  call.logged = null
  call.searches = 0
}

export const knowable: readonly Plant[] = [
  ...[batch, someBatch, flexRefused, priority, readsUnknown, readsMissed, lifeUnknown, lifeWrong, region],
  ...[notLogged, notBilled, dayNotLogged, oldPrice, batchInRegion, batchAndLife, batchAndReads],
]
export const unknowable: readonly Plant[] = [discount, ofNothing, mixture]
/** What a report of usage shows: it has no prices. */
export const inUsage: readonly Plant[] = [
  ...[batch, someBatch, priority, readsUnknown, readsMissed, lifeWrong, notLogged, notBilled, dayNotLogged],
]

/** Puts a cause into a model and day that has none yet. */
export function plant(world: World, random: Random, what: Plant): boolean {
  for (let tries = 0; tries < 30; tries += 1) {
    const { day, model } = oneOf(random, world.calls)
    const cells = world.planted.filter((one) => one.day === day && one.model === model)
    const calls = world.calls.filter(
      (call) => call.day === day && call.model === model && call.logged !== null,
    )
    if (cells.length > 0 || calls.length < 6) continue
    const kinds = what(world, random, { day, model }, calls)
    if (kinds === 'none') continue
    world.planted.push({ day, model, item: null, kinds })
    return true
  }
  return false
}

/** Searches that the log does not have. */
export function plantSearches(world: World, random: Random): void {
  const call = oneOf(
    random,
    world.calls.filter(({ model, logged }) => isChat(model) && logged !== null),
  )
  if (world.planted.some(({ day, item }) => day === call.day && item === 'searches')) return
  call.searches += between(random, 1, 5)
  world.planted.push({ day: call.day, model: null, item: 'searches', kinds: ['tools'] })
}

/** A line that no documentation has. */
export function plantLine(world: World, random: Random): void {
  const [day, label] = [
    oneOf(random, world.days),
    oneOf(random, ['code interpreter sessions', 'Vector storage', 'Session Runtime Usage']),
  ]
  if (world.planted.some((one) => one.day === day && one.item === label)) return
  world.extra.push({ day, label, pico: BigInt(between(random, 1, 900)) * 30_000_000_000n })
  world.planted.push({ day, model: null, item: label, kinds: ['unknown_line_item'] })
}

/** A call before midnight that is billed on the day after. */
export function plantMidnight(world: World, random: Random): void {
  const day = oneOf(random, world.days.slice(0, -1))
  const next = world.days[world.days.indexOf(day) + 1]!
  const call = world.calls.find(
    ({ day: of, model, searches }) =>
      of === day && searches === 0 && isChat(model) && !model.startsWith('o3'),
  )
  if (
    call === undefined ||
    world.planted.some(({ model, day: of }) => model === call.model && (of === day || of === next))
  )
    return
  call.billed.day = next
  for (const of of [day, next])
    world.planted.push({ day: of, model: call.model, item: null, kinds: ['other_day'] })
}
