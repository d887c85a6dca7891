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

test.each(['litellm', 'models.dev', 'openrouter', 'portkey'] as const)(
  '%s needs a file, and says so',
  (name) => {
    expect(() => sources[name].read({ now })).toThrow(`The source ${name} needs a file`)
  },
)

test("portkey takes one provider's file by its name", () => {
  const text = '{"gpt-9":{"pricing_config":{"pay_as_you_go":{"request_token":{"price":0.0002}}}}}'
  const { records } = sources.portkey.read({ text, name: 'openai.json', now })
  expect(records).toMatchObject([{ resource_id: 'openai:gpt-9', input_per_mtok: '2' }])
  expect(() => sources.portkey.read({ text, now })).toThrow(/name the file as Portkey does/)
})

test('an own price is the same from CSV and from JSON', async () => {
  const csv = 'resource_id,input_per_mtok,effective_at\nacme:m,0.20,2026-07-01\n'
  const json = '[{"resource_id":"acme:m","input_per_mtok":0.2,"effective_at":"2026-07-01"}]'
  const fromCsv = await sources['own-csv'].read({ text: csv, now })
  expect(fromCsv.records).toMatchObject([{ resource_id: 'acme:m', input_per_mtok: '0.2' }])
  expect(sources['own-json'].read({ text: json, now })).toEqual(fromCsv)
})

test('a page about the file is not the file', () => {
  expect(() => sources.litellm.read({ text: '<!doctype html>', now })).toThrow(/not JSON/)
})
