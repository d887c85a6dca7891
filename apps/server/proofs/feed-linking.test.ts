import { describe, expect, test } from 'vitest'
import { linkAll, toNaming, type Identified, type Naming } from '../src/ingest/match/linking.ts'
import { nameKey } from '../src/catalog/model-key.ts'
import { resourceKey } from '../src/ingest/match/names.ts'
import { readSource } from '../src/ingest/run/read-source.ts'
import { newestFiles, priceDataDir, priceInput, skipTitle } from '../test/support/price-files.ts'

// How many models are one product in all lists, over the six lists as published; each that is not, with its reason.

let all: Promise<Naming[]> | undefined

function readAll(): Promise<Naming[]> {
  return (all ??= readFiles())
}

async function readFiles(): Promise<Naming[]> {
  const now = new Date('2026-12-01T00:00:00Z')
  const readings = await Promise.all(
    newestFiles.map(async ({ source, path }) => {
      const { records } = await readSource(source, { ...priceInput(path), now })
      return records.map((record) => toNaming(source, record))
    }),
  )
  return readings.flat()
}

interface Row extends Naming {
  found: Identified
}

/** The rows of each name that at least two lists have. */
function sharedNames(namings: readonly Naming[], links: ReadonlyMap<string, Identified>): Map<string, Row[]> {
  const rows = namings.map((naming): Row => ({
    ...naming,
    found: links.get(resourceKey(naming.resource_id))!,
  }))
  const names = Map.groupBy(rows, ({ model_name }) => model_name.replaceAll(/[._]/g, '-'))
  return new Map([...names].filter(([, rows]) => new Set(rows.map(({ source }) => source)).size > 1))
}

function productsOf(rows: readonly Row[]): Set<string | null> {
  return new Set(rows.map(({ found }) => found.product_id))
}

/** Why the rows of a name are not one product; null: they are. */
function reasonOf(name: string, rows: readonly Row[]): string | null {
  const products = productsOf(rows)
  if (products.size === 1 && !products.has(null)) return null
  const vendors = new Set(rows.map(({ found }) => found.vendor))
  if (vendors.size > 1) return vendors.has('unknown') ? 'the name is of two makers' : 'two makers sell it'
  if (vendors.has('unknown')) return 'nobody names the maker'
  if (products.size > 1) return 'spelled so differently that it may be another model'
  if (name.endsWith('-latest')) return "a router's moving alias is no model"
  const platforms = new Set(rows.map(({ platform }) => platform))
  if (platforms.size === 1) return `only ${[...platforms].join()} and copies of its list have it`
  return 'no rule says why'
}

function shareOf(rows: readonly Row[][]): number {
  return rows.filter((one) => reasonOf('', one) === null).length / rows.length
}

describe.skipIf(priceDataDir === undefined)(skipTitle('one model is one product'), () => {
  test('at least 90 % of the names that two lists share are one product, and each miss has a reason', async () => {
    const namings = await readAll()
    const names = sharedNames(namings, linkAll(namings))
    const misses = [...names].flatMap(([name, rows]) => {
      const reason = reasonOf(name, rows)
      return reason === null ? [] : [{ name, rows: rows.length, reason, example: rows[0]!.resource_id }]
    })
    const llama = [...names.values()].filter((rows) => rows.some(({ found }) => found.vendor === 'meta'))
    console.log(`${names.size} names in two lists, ${names.size - misses.length} are one product`)
    console.log(`Meta's: ${llama.length} names, ${Math.round(shareOf(llama) * 100)} % are one product`)
    for (const [reason, group] of Map.groupBy(misses, ({ reason }) => reason))
      console.log(
        `${group.length} × ${reason}:\n  ${group.map(({ name, example }) => `${name} (${example})`).join('\n  ')}`,
      )

    expect(1 - misses.length / names.size).toBeGreaterThan(0.95)
    expect(shareOf(llama)).toBeGreaterThan(0.95)
    expect(misses.filter(({ reason }) => reason === 'no rule says why')).toEqual([])
    // A name of two products is of two makers.
    const split = [...names.values()].filter((rows) => productsOf(rows).difference(new Set([null])).size > 1)
    expect(split.filter((rows) => new Set(rows.map(({ found }) => found.vendor)).size === 1)).toEqual([])
  })

  test('the order of the claims changes nothing', async () => {
    const namings = await readAll()
    const links = linkAll(namings)
    const shuffled = namings
      .map((naming, index) => ({ naming, place: (index * 7_919) % namings.length }))
      .sort((a, b) => a.place - b.place)
    for (const other of [namings.toReversed(), shuffled.map(({ naming }) => naming)]) {
      const found = linkAll(other)
      expect(found.size).toBe(links.size)
      expect([...links].filter(([key, link]) => !isSame(found.get(key), link))).toEqual([])
    }
  })

  test('a product has one vendor, one modality, and no two sizes or variants', async () => {
    const namings = await readAll()
    const links = linkAll(namings)
    const linked = [...links.values()].filter(({ product_id }) => product_id !== null)
    for (const { product_id, vendor } of linked) expect(product_id!.split('/')[0]).toBe(vendor)
    for (const group of Map.groupBy(linked, ({ product_id }) => product_id).values())
      expect(new Set(group.map(({ modality }) => modality)).size).toBe(1)

    const wrong = namings.flatMap(({ resource_id, model_name }) => {
      const product = links.get(resourceKey(resource_id))?.product_id
      if (product == null) return []
      const one = traitsOf(model_name)
      const other = traitsOf(product.slice(product.indexOf('/') + 1))
      return one === other ? [] : [`${resource_id} (${one}) is linked to ${product} (${other})`]
    })
    expect(wrong).toEqual([])
  })

  test('embeddings are embeddings', async () => {
    const namings = await readAll()
    const links = linkAll(namings)
    const vectors = namings.filter(({ model_name }) => /embed(?!ded)/.test(model_name))
    expect(vectors.length).toBeGreaterThan(200)
    expect(
      vectors.filter(({ resource_id }) => links.get(resourceKey(resource_id))?.modality !== 'embedding'),
    ).toEqual([])
    for (const [id, modality] of [
      ['openai:text-embedding-ada-002', 'embedding'],
      ['voyage:voyage-3', 'embedding'],
      ['openai:gpt-image-1', 'image'],
      ['openai:gpt-4o-transcribe', 'audio'],
      ['openai:gpt-4o-mini-tts', 'audio'],
      ['openai:gpt-4o', 'llm'],
      ['google:gemini-1.5-flash', 'llm'],
    ] as const)
      expect([id, links.get(resourceKey(id))?.modality]).toEqual([id, modality])
  })

  test('50,000 claims take seconds of no run', async () => {
    const namings = await readAll()
    const many = [0, 1, 2, 3].flatMap((turn) =>
      namings.map((naming) => ({
        ...naming,
        resource_id: naming.resource_id.replace(':', `${turn}:`),
        model_name: turn === 0 ? naming.model_name : `${naming.model_name}-x${turn}`,
      })),
    )
    expect(many.length).toBeGreaterThan(50_000)
    const before = process.cpuUsage()
    linkAll(many)
    const { user } = process.cpuUsage(before)
    console.log(`${many.length} claims: ${Math.round(user / 1_000)} ms of CPU time`)
    expect(user / 1e6).toBeLessThan(4)
  })
})

function isSame(a: Identified | undefined, b: Identified): boolean {
  return a?.product_id === b.product_id && a.vendor === b.vendor && a.modality === b.modality
}

/** Sizes and words that tell one model from another, independently of the rules that link. */
function traitsOf(name: string): string {
  const key = nameKey(name)
  const sizes = key.match(/(?<![a-z\d])(?:a|e)?\d+(?:-\d+)?[bm](?![a-z\d])/g) ?? []
  const words = key.match(
    /(?<![a-z])(?:instruct|chat|base|vision|vl|coder|code|mini|nano|micro|lite|flash|pro|max|ultra|distill|thinking|reasoning|turbo|fast|audio|image|embed|realtime|tts|transcribe|search|ocr|guard|math|omni|haiku|sonnet|opus)(?![a-z])/g,
  )
  return [...sizes, ...(words ?? [])].sort().join(' ')
}
