import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Ratecard } from '../src/index.ts'
import { createFakeRatecard, type FakeRatecard } from '../src/testing.ts'

// Any rows are published, and a program stops anywhere: nothing is lost, and no handled row comes again.

const event = fc.oneof(
  fc.record({ kind: fc.constant('publish' as const), id: fc.integer({ min: 0, max: 6 }) }),
  // `take` rows and then leave; Infinity is a run to its end.
  fc.record({ kind: fc.constant('run' as const), take: fc.constantFrom(1, 2, 3, Infinity) }),
)

interface Followed {
  publish: (fake: FakeRatecard, id: string, version: number) => void
  rows: (fake: FakeRatecard) => readonly { updated_at: string }[]
  follow: (
    client: Ratecard,
    params: { since: string | undefined; onCheckpoint: (checkpoint: string) => void },
  ) => AsyncIterable<{ updated_at: string }>
}

/** What a row is known by over its versions; each version has its own. */
const versionOf = (row: { updated_at: string }) => row.updated_at

async function play(
  { publish, rows, follow }: Followed,
  events: (typeof event extends fc.Arbitrary<infer E> ? E : never)[],
  keepsPartly: boolean,
) {
  const fake = createFakeRatecard({ prices: [], changes: [] })
  const client = new Ratecard({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
  let since: string | undefined
  let version = 0
  const handled = new Set<string>()
  const run = async (take: number) => {
    const given: string[] = []
    let isLeft = false
    for await (const row of follow(client, {
      since,
      onCheckpoint: (checkpoint) => void (since = checkpoint),
    })) {
      given.push(versionOf(row))
      if (given.length === take) {
        isLeft = true
        break
      }
    }
    // The row in hand comes again; of a round of `sync` that was left, all do.
    const done = isLeft ? (keepsPartly ? given.slice(0, -1) : []) : given
    for (const one of given) expect(handled, 'came again').not.toContain(one)
    for (const one of done) handled.add(one)
  }
  for (const one of events) {
    if (one.kind === 'run') await run(one.take)
    else publish(fake, `id_${one.id}`, (version += 1))
  }
  await run(Infinity)
  for (const row of rows(fake)) expect(handled, 'was lost').toContain(versionOf(row))
  await run(Infinity)
}

const changes: Followed = {
  publish: (fake, id, version) => fake.putChanges({ id, title: `Version ${version}` }),
  rows: (fake) => fake.changes,
  follow: (client, params) => client.changes.poll({ once: true, limit: 2, ...params }),
}
const prices: Followed = {
  publish: (fake, id, version) => fake.putPrices({ resource_id: id, input_per_mtok: version }),
  rows: (fake) => fake.prices,
  follow: (client, params) => client.prices.sync({ once: true, limit: 2, ...params }),
}

describe('over restarts nothing is lost and nothing handled comes again', () => {
  it.each<[string, Followed, boolean]>([
    ['changes.poll', changes, true],
    ['prices.sync', prices, false],
  ])('%s', async (_, followed, keepsPartly) => {
    const property = fc.asyncProperty(fc.array(event, { maxLength: 12 }), (events) =>
      play(followed, events, keepsPartly),
    )
    await fc.assert(property, { numRuns: 150, seed: 1 })
  })
})
