import { describe, expect, test } from 'vitest'
import { sources } from '../../src/ingest/sources/index.ts'

// Names in price files come from outside. Names of inherited properties are ordinary names.

const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
]
const own = Object.getOwnPropertyNames(Object.prototype).sort()

/** The text of an object with one name: an object literal would take `__proto__` for something else. */
const object = (name: string, value: string) => `{${JSON.stringify(name)}:${value}}`
const rows = (name: string) => {
  const text = JSON.stringify(name)
  const good =
    '{"litellm_provider":"openai","mode":"chat","input_cost_per_token":2e-7,"output_cost_per_token":8e-7}'
  const cost = '{"input":1,"output":2}'
  const model = `{"id":${text},"modalities":{"input":["text"],"output":["text"]},"cost":${cost}}`
  const paid =
    '{"pricing_config":{"pay_as_you_go":{"request_token":{"price":0.00002},"response_token":{"price":0.00008}}}}'
  const router = (id: string, modality: string) =>
    `{"data":[{"id":${id},"canonical_slug":${id},"architecture":{"output_modalities":[${modality}]},"pricing":{"prompt":"0.0000002","completion":"0.0000006"},"expiration_date":null,"links":{"details":"/x"}}]}`
  const files: [source: keyof typeof sources, what: string, file: string][] = [
    ['litellm', 'a model', `{"gpt-9":${good},${text}:${good}}`],
    ['litellm', 'a provider', object('gpt-9', good.replace('"openai"', text))],
    ['litellm', 'a mode', object('gpt-9', good.replace('"chat"', text))],
    ['litellm', 'a field', object('gpt-9', good.replace('}', `,${text}:1}`))],
    ['litellm', 'an object for a field', object('gpt-9', good.replace('}', `,${text}:{"polluted":1}}`))],
    ['models.dev', 'a provider', object(name, `{"id":${text},"models":${object('gpt-9', model)}}`)],
    ['models.dev', 'a model', object('openai', `{"id":"openai","models":${object(name, model)}}`)],
    ['openrouter', 'a vendor', router(JSON.stringify(`${name}/gpt-9`), '"text"')],
    ['openrouter', 'a model', router(JSON.stringify(`openai/${name}`), '"text"')],
    ['openrouter', 'a modality', router('"openai/gpt-9"', text)],
    ['portkey', 'a provider', object(name, object('gpt-9', paid))],
    ['portkey', 'a model', object('openai', object(name, paid))],
  ]
  return files
}

describe.each(names)('%s', (name) => {
  test.each(rows(name))('%s: as %s it is served or refused with its reason', async (source, _what, text) => {
    let problem: string | null = null
    try {
      const { records, rejected } = await sources[source].read({ text, name: 'prices.json', now: new Date() })
      expect(records.length + rejected.length).toBeGreaterThan(0)
      for (const record of records) {
        for (const value of Object.values(record)) expect(typeof value).not.toBe('function')
        expect(typeof record.vendor).toBe('string')
        expect(typeof record.platform).toBe('string')
      }
      for (const { reason } of rejected) expect(reason).not.toBe('')
    } catch (error) {
      // A file without a usable row is refused as a whole, with a message.
      problem = (error as Error).name
    }
    expect([null, 'UserError']).toContain(problem)
    expect(Object.getOwnPropertyNames(Object.prototype).sort()).toEqual(own)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })
})
