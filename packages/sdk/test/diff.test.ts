import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { ListedChange } from '../src/index.ts'
import { createFakeRatecard } from '../src/testing.ts'
import { pageOf, serve } from './support/server.ts'

async function changeWith(fields: object): Promise<ListedChange> {
  const { client } = await serve(() =>
    pageOf([{ id: 'chg_1', updated_at: '2026-11-20T06:00:00.000000Z', ...fields }]),
  )
  const [change] = await client().changes.list().toArray({ limit: 1 })
  return change!
}

describe('the diff of a change', () => {
  it('is what the texts say', async () => {
    const { diff } = await changeWith({
      diff_before: '{"openai:gpt-4o-mini":{"input_per_mtok":0.2,"rates":{"cache write":1.25}}}',
      diff_after: '{"openai:gpt-4o-mini":{"input_per_mtok":0.15}}',
      diff_keys: '["openai:gpt-4o-mini#input_per_mtok"]',
    })
    expect(diff.before?.['openai:gpt-4o-mini']?.input_per_mtok).toBe(0.2)
    expect(diff.before?.['openai:gpt-4o-mini']?.rates?.['cache write']).toBe(1.25)
    expect(diff.after).toEqual({ 'openai:gpt-4o-mini': { input_per_mtok: 0.15 } })
    expect(diff.before?.['openai:other']?.input_per_mtok).toBeUndefined()
    expect(diff.keys).toEqual(['openai:gpt-4o-mini#input_per_mtok'])
  })

  it.each([
    ['null', null],
    ['withheld', undefined],
    ['prose', 'From 0.20 to 0.15'],
    ['cut off', '{"openai:gpt'],
    ['a number', '5'],
    ['JSON null', 'null'],
    ['no rows of fields', '{"a":1}'],
    ['an array where rows belong, rows where keys belong', '[1]'],
    ['no text at all', 7],
  ])('is undefined, and the change is still given, when a text is %s', async (_, text) => {
    const change = await changeWith({ diff_before: text, diff_after: text, diff_keys: text })
    expect(change.diff).toEqual({ before: undefined, after: undefined, keys: undefined })
    // What could not be read is there to be seen.
    expect(change.diff_before).toBe(text)
  })

  it('is not among the fields of the row, however it is printed or copied', async () => {
    const fields = { diff_before: '{}', diff_after: '{}', diff_keys: '[]' }
    const change = await changeWith(fields)
    const plain = { id: 'chg_1', updated_at: '2026-11-20T06:00:00.000000Z', ...fields }
    expect(JSON.stringify(change)).toBe(JSON.stringify(plain))
    expect(inspect(change)).toBe(inspect(plain))
    expect(Object.keys(change)).toEqual(Object.keys(plain))
    expect(change).toStrictEqual(plain)
    expect(structuredClone(change)).toStrictEqual(plain)
    expect('diff' in { ...change }).toBe(false)
  })

  it('leaves a field of that name alone, which a newer server may send', async () => {
    expect((await changeWith({ diff: 'theirs' })).diff).toBe('theirs')
  })

  it('comes with every way to get changes', async () => {
    const fake = createFakeRatecard()
    const { client } = await serve(() => 500)
    const { changes } = client({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
    const filter = { product: 'openai/gpt-4o-mini' }
    const page = await changes.list(filter)
    const polled: ListedChange[] = []
    for await (const change of changes.poll({ ...filter, once: true })) polled.push(change)
    for (const { diff } of [page.data[0]!, polled[0]!]) {
      expect(diff.after?.['openai:gpt-4o-mini']?.cached_input_per_mtok).toBe(0.075)
    }
  })
})
