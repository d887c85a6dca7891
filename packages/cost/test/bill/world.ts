import { o3Before, o3Day, prices, search, type Rates } from './prices.ts'

// What happened: calls of some days, how each was billed, and what the log says of it. Bills are written from the first, logs
// from the second; `planted` says for which model and day the two are not the same, and why.

export type Random = () => number

/** Numbers from 0 to 1 that are the same for the same seed. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

export const between = (random: Random, low: number, high: number) =>
  low + Math.floor(random() * (high - low + 1))
export const oneOf = <T>(random: Random, all: readonly T[]): T => all[between(random, 0, all.length - 1)]!

export interface Tokens {
  input: number
  cached: number
  write: number
  writeHour: number
  output: number
}

export interface World {
  vendor: 'openai' | 'anthropic'
  days: string[]
  calls: WorldCall[]
  planted: Planted[]
  /** Lines of the bill that no call has made. */
  extra: { day: string; label: string; pico: bigint }[]
}

export interface WorldCall {
  day: string
  at: string
  model: string
  tokens: Tokens
  searches: number
  /** As it is billed. */
  billed: {
    day: string
    tokens: Tokens
    tier: string | null
    region: string | null
    rates: Rates
    share?: [bigint, bigint]
  }
  /** As the log has it; null: it has not. */
  logged: {
    tokens: Tokens
    tier: string | null
    region: string | null
    hasLife: boolean
    searches: number
  } | null
  isBilled: boolean
}

/** Kinds of causes in one row of the comparison; null: nobody can know it. */
export interface Planted {
  day: string
  model: string | null
  item: string | null
  kinds: string[] | null
}

const models = {
  openai: ['gpt-5-mini-2025-08-07', 'gpt-4o-2024-08-06', 'o3-2025-04-16', 'text-embedding-3-small'],
  anthropic: ['claude-sonnet-4-6', 'claude-haiku-4-5-20251001'],
}

export function makeWorld(random: Random, vendor: World['vendor']): World {
  const first = Date.parse(o3Day) - 86_400_000
  const days = Array.from({ length: between(random, 3, 5) }, (_, n) =>
    new Date(first + n * 86_400_000).toISOString().slice(0, 10),
  )
  const calls = days.flatMap((day) =>
    models[vendor].flatMap((model) =>
      Array.from({ length: between(random, 6, 30) }, () => makeCall(random, day, model)),
    ),
  )
  return { vendor, days, calls, planted: [], extra: [] }
}

function makeCall(random: Random, day: string, model: string): WorldCall {
  const isClaude = model.startsWith('claude')
  const isEmbedding = model.startsWith('text-')
  const some = (high: number) => (random() < 0.6 ? between(random, 1, high) : 0)
  const tokens: Tokens = {
    input: between(random, 20, 4_000),
    cached: isEmbedding ? 0 : some(9_000),
    write: isClaude ? some(3_000) : 0,
    writeHour: isClaude ? some(1_500) : 0,
    output: isEmbedding ? 0 : between(random, 5, 2_000),
  }
  const at = `${day}T${String(between(random, 0, 23)).padStart(2, '0')}:${String(between(random, 10, 59))}:00Z`
  const searches = !isEmbedding && random() < 0.1 ? between(random, 1, 3) : 0
  const conditions = { tokens, tier: null, region: null }
  return {
    ...{ day, at, model, tokens, searches, isBilled: true },
    billed: { ...conditions, day, rates: ratesOn(model, day) },
    logged: { ...conditions, hasLife: true, searches },
  }
}

function ratesOn(model: string, day: string): Rates {
  return model.startsWith('o3') && day < o3Day ? o3Before : prices[model]!
}

/** A part of a bill: what its tokens or searches cost. */
export interface Part {
  day: string
  model: string | null
  kind: keyof Tokens | 'searches'
  tier: string | null
  region: string | null
  count: number
  pico: bigint
}

const rateNames: Readonly<Record<keyof Tokens, keyof Rates>> = {
  ...{ input: 'input', cached: 'cached', output: 'output', write: 'write', writeHour: 'writeHour' },
}

/** All that was billed, by kind. */
export function partsOf({ calls }: World): Part[] {
  const parts = new Map<string, Part>()
  const add = (part: Part) => {
    const key = JSON.stringify([part.day, part.model, part.kind, part.tier, part.region])
    const known = parts.get(key)
    if (known === undefined) parts.set(key, part)
    else [known.count, known.pico] = [known.count + part.count, known.pico + part.pico]
  }
  for (const { model, searches, billed, isBilled } of calls) {
    if (!isBilled) continue
    const { day, tier, region, tokens, rates, share = [1n, 1n] } = billed
    for (const kind of Object.keys(rateNames) as (keyof Tokens)[]) {
      const count = tokens[kind]
      if (count === 0) continue
      let pico = BigInt(count) * rates[rateNames[kind]]!
      if (tier === 'batch' || tier === 'flex') pico /= 2n
      if (tier === 'priority') pico *= 2n
      if (region === 'us') pico = (pico * 11n) / 10n
      add({ day, model, kind, tier, region, count, pico: (pico * share[0]) / share[1] })
    }
    if (searches > 0)
      add({
        day,
        model: null,
        kind: 'searches',
        tier: null,
        region: null,
        count: searches,
        pico: BigInt(searches) * search,
      })
  }
  return [...parts.values()].sort((a, b) => (a.day < b.day ? -1 : 1))
}
