import { expect, test } from 'vitest'
import { sources } from './index.ts'

const now = new Date('2026-08-01T00:00:00Z')

test.each(Object.entries(sources))('%s is registered under its own name', (name, source) => {
  expect(source.name).toBe(name)
})

test('genai-prices needs no file, and takes one', async () => {
  expect((await sources['genai-prices'].read({ now })).records.length).toBeGreaterThan(1400)
  const text = '[{"id":"openai","models":[{"id":"gpt-9","prices":{"input_mtok":1}}]}]'
  expect((await sources['genai-prices'].read({ text, now })).records).toHaveLength(1)
})

test('litellm needs a file, and says so', () => {
  expect(() => sources.litellm.read({ now })).toThrow(/needs a file/)
})

test('a page about the file is not the file', () => {
  expect(() => sources.litellm.read({ text: '<!doctype html>', now })).toThrow(/not JSON/)
})
