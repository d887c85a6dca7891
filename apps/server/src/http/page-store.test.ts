import { describe, expect, test } from 'vitest'
import type { Verdict } from '../features/metering/meter.ts'
import { Lru } from '../platform/lru.ts'
import { PageBytes } from './page-bytes.ts'
import { PageStore } from './page-store.ts'

/** A feed that moves when told to, and a meter that knows its version. */
class World {
  version = 1
  readonly store: PageStore
  readonly kept: Lru<PageBytes>
  reads = 0
  granted: (string | null)[] = []
  stale = 0
  /** Holds readings back, once they have seen the feed. */
  hold: Promise<unknown> = Promise.resolve()

  constructor(bytesMax = 1_000_000) {
    this.kept = new Lru(bytesMax)
    this.store = new PageStore(this.kept)
  }

  read = async () => {
    this.reads += 1
    const seen = this.version
    await this.hold
    return new PageBytes(String(seen), Buffer.from(`page of ${seen}`))
  }

  reserve = (version: string | null): Promise<Verdict> => {
    if (version !== null && version !== String(this.version)) {
      this.stale += 1
      return Promise.resolve({ kind: 'stale' })
    }
    this.granted.push(version)
    return Promise.resolve({ kind: 'granted' } as Verdict)
  }

  async ask(key = 'a'): Promise<string | undefined> {
    const { page } = await this.store.reserve({ key, read: this.read, reserve: this.reserve })
    return page.in('identity')?.toString()
  }
}

describe('A page', () => {
  test('is read once while its feed does not move', async () => {
    const world = new World()
    expect([await world.ask(), await world.ask()]).toEqual(['page of 1', 'page of 1'])
    expect([world.reads, world.granted]).toEqual([1, [null, '1']])
  })

  test('is read anew once its feed has moved, and one unit is taken for it', async () => {
    const world = new World()
    await world.ask()
    world.version = 2
    expect(await world.ask()).toBe('page of 2')
    expect([world.reads, world.stale, world.granted]).toEqual([2, 1, [null, null]])
  })

  test('is read once for all that ask meanwhile', async () => {
    const world = new World()
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.ask()))
    expect(new Set(answers)).toEqual(new Set(['page of 1']))
    expect([world.reads, world.granted.length]).toEqual([1, 50])
  })

  test('whose reading began before a request came is not good enough for it when the feed has moved since', async () => {
    const world = new World()
    const held = Promise.withResolvers<void>()
    world.hold = held.promise
    const early = world.ask()
    await Promise.resolve()
    world.version = 2
    const late = Array.from({ length: 3 }, () => world.ask())
    held.resolve()
    expect(await early).toBe('page of 1')
    expect(await Promise.all(late)).toEqual(['page of 2', 'page of 2', 'page of 2'])
    expect([world.reads, world.granted.length]).toEqual([2, 4])
  })

  test('that cannot be read is not kept and costs nothing, and the next request reads again', async () => {
    const world = new World()
    const failing = {
      key: 'a',
      read: () => Promise.reject(new Error('away')),
      reserve: world.reserve,
    }
    const failures = await Promise.allSettled([world.store.reserve(failing), world.store.reserve(failing)])
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(world.granted).toEqual([])
    expect(await world.ask()).toBe('page of 1')
  })

  test('is not forgotten for the sake of an older one', async () => {
    const world = new World()
    await world.ask()
    const old = world.store.get('a')
    world.version = 2
    await world.ask()
    if (old) world.store.forget('a', old)
    expect(world.store.get('a')?.version).toBe('2')
  })

  test('makes room for others, and so do its codings', async () => {
    const bytesMax = 50_000
    const world = new World(bytesMax)
    for (let n = 0; n < 1_000; n += 1) {
      const key = `page ${n}`
      await world.ask(key)
      const page = world.store.get(key)
      await page?.encode('br')
      await page?.encode('gzip')
      if (page) world.store.resize(key, page)
      expect(world.kept.cost).toBeLessThanOrEqual(bytesMax)
    }
    expect(world.kept.size).toBeGreaterThan(10)
    expect(world.store.get('page 999')).toBeDefined()
    expect(world.store.get('page 0')).toBeUndefined()
  })
})
