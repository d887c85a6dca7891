import { LRUCache } from 'lru-cache'
import { describe, expect, test } from 'vitest'
import type { UnitVerdict } from '../../features/metering/meter.ts'
import { ListBytes } from './list-bytes.ts'
import { ListCache, type Reservation } from './list-cache.ts'
import type { ListQuery } from './list-query.ts'

const query = (key: string) => ({ key }) as ListQuery

/** A list that moves on command, and a meter that knows its version. */
class World {
  version = 1
  readonly store: ListCache
  readonly kept: LRUCache<string, ListBytes>
  reads = 0
  granted: (string | null)[] = []
  stale = 0
  /** Holds readings back, once they have seen the list. */
  hold: Promise<unknown> = Promise.resolve()

  constructor(bytesMax = 1_000_000, { hasReplica = false } = {}) {
    this.kept = new LRUCache({ maxSize: bytesMax })
    this.store = new ListCache(this.kept, {
      read: () => this.read(),
      readReplica: hasReplica ? () => this.readReplica() : null,
    })
  }

  read = async () => {
    this.reads += 1
    const seen = this.version
    await this.hold
    return new ListBytes(String(seen), Buffer.from(`page of ${seen}`))
  }

  readReplica = (): Promise<ListBytes | null> => Promise.resolve(null)

  reserve = (version: string | null): Promise<UnitVerdict | null> => {
    if (version !== null && version !== String(this.version)) {
      this.stale += 1
      return Promise.resolve(null)
    }
    this.granted.push(version)
    return Promise.resolve({ kind: 'granted' } as UnitVerdict)
  }

  async ask(key = 'a'): Promise<string | undefined> {
    const list = await this.store.get(query(key), { reserve: this.reserve })
    return list.in('identity')?.toString()
  }
}

describe('A page', () => {
  test('is read once while its list does not move', async () => {
    const world = new World()
    expect([await world.ask(), await world.ask()]).toEqual(['page of 1', 'page of 1'])
    expect([world.reads, world.granted]).toEqual([1, [null, '1']])
  })

  test('is read anew once its list has moved, and one unit is taken for it', async () => {
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

  test('whose reading began before a request came is not good enough for it when the list has moved since', async () => {
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
    const { read } = world
    world.read = () => Promise.reject(new Error('away'))
    const failures = await Promise.allSettled([world.ask(), world.ask()])
    world.read = read
    expect(failures.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(world.granted).toEqual([])
    expect(await world.ask()).toBe('page of 1')
  })

  test('is not forgotten for the sake of an older one', async () => {
    const world = new World()
    await world.ask()
    const old = world.store.find('a')
    world.version = 2
    await world.ask()
    if (old) world.store.forget('a', old)
    expect(world.store.find('a')?.version).toBe('2')
  })

  test('makes room for others, and so do its codings', async () => {
    const bytesMax = 50_000
    const world = new World(bytesMax)
    for (let n = 0; n < 1_000; n += 1) {
      const key = `page ${n}`
      await world.ask(key)
      const page = world.store.find(key)
      await page?.encode('br')
      await page?.encode('gzip')
      if (page) world.store.resize(key, page)
      expect(world.kept.calculatedSize).toBeLessThanOrEqual(bytesMax)
    }
    expect(world.kept.size).toBeGreaterThan(10)
    expect(world.store.find('page 999')).toBeDefined()
    expect(world.store.find('page 0')).toBeUndefined()
  })
})

const denied: Reservation['reserve'] = () => Promise.reject(new Error('denied'))

describe('For a key whose quota is used up, a page', () => {
  const given: UnitVerdict[] = []
  const giveBack = (unit: UnitVerdict) => void given.push(unit)

  test('is not read, and no page is lost for it', async () => {
    const world = new World()
    await world.ask('a')
    await expect(world.store.get(query('b'), { reserve: denied, giveBack })).rejects.toThrow('denied')
    expect([world.reads, world.store.find('a')?.version, world.store.find('b')]).toEqual([1, '1', undefined])
  })

  test('is read and kept once a unit is there after all', async () => {
    const world = new World()
    const list = await world.store.get(query('a'), { reserve: world.reserve, giveBack })
    expect(list.version).toBe('1')
    expect(await world.ask()).toBe('page of 1')
    expect([world.reads, world.granted, given]).toEqual([1, [null, '1'], []])
  })

  test('is what is kept, without reading it', async () => {
    const world = new World()
    await world.ask()
    const list = await world.store.get(query('a'), { reserve: world.reserve, giveBack })
    expect(list.version).toBe('1')
    expect([world.reads, world.granted]).toEqual([1, [null, '1']])
  })

  test('that cannot be read gives the unit back, once', async () => {
    const world = new World()
    given.length = 0
    world.read = () => Promise.reject(new Error('away'))
    const reservation = { reserve: world.reserve, giveBack }
    await expect(world.store.get(query('a'), reservation)).rejects.toThrow('away')
    expect(given).toEqual([{ kind: 'granted' }])
  })
})

test('A page that was refused is not kept', async () => {
  const world = new World()
  await world.ask('a')
  await expect(world.store.get(query('b'), { reserve: denied })).rejects.toThrow('denied')
  expect([world.store.find('a')?.version, world.store.find('b')]).toEqual(['1', undefined])
})

describe('With a replica, a page', () => {
  /** A world with a replica that is as old as the test says, or away. */
  class ReplicatedWorld extends World {
    replicaVersion: number | null = 1
    replicaReads = 0
    holdReplica: Promise<unknown> = Promise.resolve()

    constructor() {
      super(undefined, { hasReplica: true })
    }

    override readReplica = async () => {
      this.replicaReads += 1
      const seen = this.replicaVersion
      await this.holdReplica
      return seen === null ? null : new ListBytes(String(seen), Buffer.from(`copy of ${seen}`))
    }
  }

  test("is the replica's while its list is in the version that the replica has, and is kept", async () => {
    const world = new ReplicatedWorld()
    expect([await world.ask(), await world.ask()]).toEqual(['copy of 1', 'copy of 1'])
    expect([world.replicaReads, world.reads, world.granted]).toEqual([1, 0, ['1', '1']])
  })

  test("is the database's while the replica is behind, for one unit, and is kept", async () => {
    const world = new ReplicatedWorld()
    world.version = 2
    expect([await world.ask(), await world.ask()]).toEqual(['page of 2', 'page of 2'])
    expect([world.replicaReads, world.reads, world.granted]).toEqual([1, 1, [null, '2']])
  })

  test("is the replica's again once it has caught up", async () => {
    const world = new ReplicatedWorld()
    await world.ask()
    world.version = 2
    world.replicaVersion = 2
    expect(await world.ask()).toBe('copy of 2')
    expect([world.reads, world.granted]).toEqual([0, ['1', '2']])
  })

  test("that has just been found old is not reserved again as the replica's", async () => {
    const world = new ReplicatedWorld()
    await world.ask()
    world.version = 2
    expect(await world.ask()).toBe('page of 2')
    expect([world.stale, world.granted]).toEqual([1, ['1', null]])
  })

  test("is the database's when the replica is away", async () => {
    const world = new ReplicatedWorld()
    world.replicaVersion = null
    expect([await world.ask(), await world.ask()]).toEqual(['page of 1', 'page of 1'])
    expect([world.reads, world.granted]).toEqual([1, [null, '1']])
  })

  test('is read once for all that ask meanwhile, and once more when it is old', async () => {
    const world = new ReplicatedWorld()
    world.version = 2
    const answers = await Promise.all(Array.from({ length: 50 }, () => world.ask()))
    expect(new Set(answers)).toEqual(new Set(['page of 2']))
    expect([world.replicaReads, world.reads, world.granted.length]).toEqual([1, 1, 50])
  })

  test('that the replica gives late does not take the place of a newer one', async () => {
    const world = new ReplicatedWorld()
    const held = Promise.withResolvers<void>()
    world.holdReplica = held.promise
    const early = world.ask()
    world.version = 2
    const late = world.ask()
    held.resolve()
    expect(await Promise.all([early, late])).toEqual(['page of 2', 'page of 2'])
    expect(world.store.find('a')?.version).toBe('2')
  })

  test("of the replica that is kept for another request is not taken for the database's", async () => {
    const world = new ReplicatedWorld()
    world.version = 3
    const { store } = world
    const first = Promise.withResolvers<void>()
    const waiting = Promise.withResolvers<void>()
    const one = store.get(query('a'), {
      reserve: async (version) => {
        if (version === '1') waiting.resolve()
        if (version === '1') await first.promise
        return world.reserve(version)
      },
    })
    await waiting.promise
    world.replicaVersion = 3
    expect(await world.ask()).toBe('copy of 3')
    expect(store.find('a')?.version).toBe('3')
    world.version = 4
    first.resolve()
    expect((await one).version).toBe('4')
  })

  test('shows, whatever the replica and the readings do, what was there when it was asked for', async () => {
    const world = new ReplicatedWorld()
    let behind = 0
    let asked = 0
    const pause = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 3))
    const reserve = async (version: string | null) => {
      await pause()
      const verdict = await world.reserve(version)
      await pause()
      return verdict
    }
    const slowly = async <T>(read: () => Promise<T>) => {
      await pause()
      const page = await read()
      await pause()
      return page
    }
    const { read, readReplica } = world
    world.read = () => slowly(read)
    world.readReplica = () => slowly(readReplica)
    const client = async () => {
      for (let n = 0; n < 40; n += 1) {
        const atLeast = world.version
        const list = await world.store.get(query('a'), { reserve })
        asked += 1
        if (Number(list.version) < atLeast) behind += 1
        if (n % 5 === 0) await pause()
      }
    }
    const mover = setInterval(() => {
      world.replicaVersion = Math.random() < 0.1 ? null : world.version - Math.floor(Math.random() * 2)
      world.version += 1
      if (Math.random() < 0.5) world.replicaVersion = world.version
    }, 4)
    await Promise.all(Array.from({ length: 20 }, client))
    clearInterval(mover)
    expect([asked, behind, world.granted.length]).toEqual([800, 0, 800])
    expect(world.granted.filter((version) => version !== null).length).toBeGreaterThan(0)
  })
})
