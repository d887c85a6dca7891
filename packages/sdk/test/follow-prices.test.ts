import { describe, expect, it, vi } from 'vitest'
import { checkpointOf, resourceIds, row, service, take } from './support/rows.ts'

describe('prices.sync', () => {
  it('gives rows as their pages come, and tells the checkpoint at the end of the round', async () => {
    const { client, seen } = await service([row('a', 1), row('b', 2), row('c', 3)])
    const reached: string[] = []
    const got: string[] = []
    const onCheckpoint = (checkpoint: string) => void reached.push(checkpoint)
    for await (const price of client().prices.sync({ once: true, vendor: 'openai', onCheckpoint })) {
      got.push(price.resource_id)
      expect(reached).toEqual([])
      if (got.length === 2) expect(seen).toHaveLength(1)
    }
    expect(got).toEqual(['c', 'b', 'a'])
    expect(reached).toEqual([checkpointOf(row('c', 3))])
    expect(seen[0]!.target).toBe('/v1/prices?vendor=openai&limit=500')
  })

  it('gives nothing after a restart with nothing new, and then what moved', async () => {
    const rows = [row('a', 1), row('b', 2), row('c', 3)]
    const { client } = await service(rows)
    let stored: string | undefined
    const onCheckpoint = (checkpoint: string) => void (stored = checkpoint)
    const run = () => take(client().prices.sync({ once: true, since: stored, onCheckpoint }), 99)
    expect(resourceIds(await run())).toEqual(['c', 'b', 'a'])
    expect(resourceIds(await run())).toEqual([])
    rows[0] = row('a', 4)
    expect(resourceIds(await run())).toEqual(['a'])
    expect(resourceIds(await run())).toEqual([])
  })

  it('gives a round that was left again as a whole', async () => {
    const { client } = await service([row('a', 1), row('b', 2), row('c', 3)])
    let stored: string | undefined
    const onCheckpoint = (checkpoint: string) => void (stored = checkpoint)
    const sync = () => client().prices.sync({ once: true, since: stored, onCheckpoint })
    expect(resourceIds(await take(sync(), 2))).toEqual(['c', 'b'])
    expect(resourceIds(await take(sync(), 9))).toEqual(['c', 'b', 'a'])
  })

  it('gives in later rounds only what moved', async () => {
    const rows = [row('a', 1), row('b', 2)]
    const { client } = await service(rows)
    const got: string[] = []
    for await (const price of client().prices.sync({ intervalMs: 1 })) {
      got.push(price.resource_id)
      if (got.length === 2) rows[0] = row('a', 3)
      if (got.length === 3) break
    }
    expect(got).toEqual(['b', 'a', 'a'])
  })

  it('tells no checkpoint of a round that was left', async () => {
    const { client } = await service([row('a', 1), row('b', 2), row('c', 3)])
    const onCheckpoint = vi.fn()
    await take(client().prices.sync({ onCheckpoint }), 2)
    expect(onCheckpoint).not.toHaveBeenCalled()
  })
})
