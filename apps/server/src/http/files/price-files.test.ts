import { expect, test, vi } from 'vitest'
import type { KeptFile } from './kept-file.ts'
import { PriceFiles, type FileForm } from './price-files.ts'

function scene() {
  const made: FileForm[] = []
  const retire = vi.fn(() => Promise.resolve())
  const state = { version: '1', nowMs: Date.parse('2026-11-01T12:00:00Z'), takesMs: 100, made, retire }
  let waiting: (() => void)[] = []
  const files = new PriceFiles({
    readListVersion: () => Promise.resolve(state.version),
    nowMs: () => state.nowMs,
    make: async (form) => {
      made.push(form)
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
  return { files, finish, state }
}

test('a file is made once for all who ask at a time, and one after the other', async () => {
  const { files, finish, state } = scene()
  const asked = Promise.all([files.find('csv'), files.find('csv'), files.find('json')])
  await new Promise(setImmediate)
  expect(state.made).toEqual(['csv'])
  const [first, second] = await finish(asked)
  expect(first.file).toBe(second.file)
  expect(state.made).toEqual(['csv', 'json'])
  expect((await files.find('csv')).file).toBe(first.file)
})

test('it is made anew when the list has moved, after a rest, and each day', async () => {
  const { files, finish, state } = scene()
  const first = await finish(files.find('csv'))
  state.version = '2'
  // It took 100 ms.
  state.nowMs += 999
  expect((await files.find('csv')).file).toBe(first.file)
  expect(await files.etag('csv')).toBe(first.etag)
  state.nowMs += 1_002
  expect(await files.etag('csv')).not.toBe(first.etag)
  const second = await finish(files.find('csv'))
  expect(second.etag).not.toBe(first.etag)
  expect(state.retire).toHaveBeenCalledOnce()
  state.nowMs += 86_400_000
  expect((await finish(files.find('csv'))).etag).not.toBe(second.etag)
})

test('who would be one of too many that wait is told to come again', async () => {
  const { files, finish } = scene()
  const asked = Promise.all(Array.from({ length: 20 }, () => files.find('csv')))
  await new Promise(setImmediate)
  await expect(files.find('csv')).rejects.toThrow(/being made/)
  await finish(asked)
})

test('what failed is tried again by the next who asks', async () => {
  let tries = 0
  const files = new PriceFiles({
    readListVersion: () => Promise.resolve('1'),
    make: () => {
      tries += 1
      return tries === 1 ? Promise.reject(new Error('no disk')) : Promise.resolve({} as KeptFile)
    },
  })
  await expect(files.find('csv')).rejects.toThrow('no disk')
  await expect(files.find('csv')).resolves.toBeDefined()
})
