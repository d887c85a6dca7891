import { describe, expect, test } from 'vitest'
import { readHostList } from './host-list.ts'
import { hostLists } from './index.ts'

const now = new Date('2026-08-20T12:00:00Z')

/** A row of each list with one amount, and a row beside it. */
const forms: Record<keyof typeof hostLists, (id: unknown, amount: unknown) => unknown> = {
  openrouter: (id, prompt) => ({ id, pricing: { prompt } }),
  venice: (id, usd) => ({ id, type: 'text', model_spec: { pricing: { input: { usd } } } }),
  ovhcloud: (id, prompt) => ({ id, pricing: { currency_unit: 'USD', prompt } }),
  atlascloud: (model, input_price) => ({
    model,
    type: 'Text',
    price: { actual: { type: 'flat', input_price } },
  }),
  huggingface: (id, input) => ({ id, providers: [{ provider: 'together', pricing: { input } }] }),
  deepinfra: (model_name, cents_per_input_token) => ({
    model_name,
    pricing: { type: 'tokens', cents_per_input_token },
  }),
  vercel: (id, input) => ({ id, pricing: { input } }),
  together: (id, input) => ({ id, pricing: { input } }),
  novita: (id, input_token_price_per_m) => ({ id, input_token_price_per_m }),
  xai: (id, prompt_text_token_price) => ({ id, prompt_text_token_price }),
  cerebras: (id, prompt) => ({ id, pricing: { prompt } }),
  chutes: (id, prompt) => ({ id, pricing: { prompt } }),
  llmgateway: (id, prompt) => ({ id, pricing: { prompt } }),
  aihubmix: (model_id, input) => ({ model_id, pricing: { input } }),
}

describe.each(Object.entries(forms))('%s, whatever a row holds', (name, form) => {
  const list = hostLists[name as keyof typeof hostLists]
  const read = (...rows: unknown[]) => readHostList(list, { data: rows }, now)
  const good = form('good', 1)

  test.each([1e300, '9'.repeat(70), -5, '-0.1', 'NaN', 'Infinity', '$2', '1,5', '', {}, [1], true])(
    'an amount of %j is refused',
    (amount) => {
      const { records, rejected } = read(good, form('odd', amount))
      expect(new Set(records.map(({ source_key }) => source_key.replace(/^.*\//, '')))).toEqual(
        new Set(['good']),
      )
      expect(rejected[0]?.reason).toMatch(/^(?:has no usable price|cannot be read): ./)
    },
  )

  test.each([-1, null, undefined])('an amount of %j is unknown', (amount) => {
    const { records, rejected } = read(form('odd', amount))
    expect(rejected).toEqual([])
    expect(records[0]).toMatchObject({ input_per_mtok: null, currency: 'USD' })
  })

  test('an id that comes again is refused, and a strange one harms nobody', () => {
    const { records, rejected } = read(list, good, good, form('__proto__', 1), form('', 1), form(7, 1))
    expect(records.map(({ source_key }) => source_key)).toContain('__proto__')
    expect(rejected.map(({ reason }) => reason)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^names the same resource as .*good, at the same price$/),
        expect.stringMatching(/^cannot be read: /),
      ]),
    )
    expect(({} as { polluted?: true }).polluted).toBeUndefined()
  })

  test.each([null, {}, [], { data: {} }, { data: [] }, { data: [7, null, 'x'] }, '<html>'])(
    'another answer is refused whole: %j',
    (answer) => {
      expect(() => readHostList(list, answer, now)).toThrow(/^This is not an answer of /)
    },
  )
})
