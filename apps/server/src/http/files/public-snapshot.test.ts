import { expect, test, vi } from 'vitest'
import type { KeptFile } from './kept-file.ts'
import { PublicSnapshot } from './public-snapshot.ts'

function scene() {
  const retire = vi.fn(() => Promise.resolve())
  const state = { version: '1', nowMs: Date.parse('2026-11-01T12:00:00Z'), takesMs: 100, made: 0, retire }
  let waiting: (() => void)[] = []
  const snapshot = new PublicSnapshot({
    readListVersion: () => Promise.resolve(state.version),
    nowMs: () => state.nowMs,
    make: async () => {
      state.made += 1
      await new Promise<void>((resolve) => waiting.push(resolve))
      state.nowMs += state.takesMs
      return { retire } as unknown as KeptFile
    },
  })
  /** Ends what is being made, and what begins then. */
  const finish = async <T>(asked: Promise<T>): Promise<T> => {
    let isDone = false
    void asked.finally(() => (isDone = true)).catch(() => undefined)
    while (!isDone) {
      await new Promise(setImmediate)
      for (const end of waiting.splice(0)) end()
    }
    waiting = []
    return asked
  }
  return { snapshot, finish, state }
}

test('it is made once for all who ask at a time', async () => {
  const { snapshot, finish, state } = scene()
  const [first, second] = await finish(Promise.all([snapshot.find(), snapshot.find()]))
  expect(first.file).toBe(second.file)
  expect((await snapshot.find()).file).toBe(first.file)
  expect(state.made).toBe(1)
})

test('it is made anew when the list has moved, after a rest, and each day', async () => {
  const { snapshot, finish, state } = scene()
  const first = await finish(snapshot.find())
  state.version = '2'
  // It took 100 ms.
  state.nowMs += 999
  expect((await snapshot.find()).file).toBe(first.file)
  expect(await snapshot.etag()).toBe(first.etag)
  state.nowMs += 1_002
  expect(await snapshot.etag()).not.toBe(first.etag)
  const second = await finish(snapshot.find())
  expect(second.etag).not.toBe(first.etag)
  expect(state.retire).toHaveBeenCalledOnce()
  state.nowMs += 86_400_000
  expect((await finish(snapshot.find())).etag).not.toBe(second.etag)
})

test('who would be one of too many that wait is told to come again', async () => {
  const { snapshot, finish } = scene()
  const asked = Promise.all(Array.from({ length: 20 }, () => snapshot.find()))
  await new Promise(setImmediate)
  await expect(snapshot.find()).rejects.toThrow(/being made/)
  await finish(asked)
})

test('what failed is tried again by the next who asks', async () => {
  let tries = 0
  const snapshot = new PublicSnapshot({
    readListVersion: () => Promise.resolve('1'),
    make: () => {
      tries += 1
      return tries === 1 ? Promise.reject(new Error('no disk')) : Promise.resolve({} as KeptFile)
    },
  })
  await expect(snapshot.find()).rejects.toThrow('no disk')
  await expect(snapshot.find()).resolves.toBeDefined()
})
