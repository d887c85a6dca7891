import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { SourceName } from '../../src/ingest/sources/index.ts'
import { useApi } from '../support/api.ts'
import { createCustomer } from '../support/actors.ts'
import { createFeeder } from '../support/feed-runs.ts'
import { useDatabase } from '../support/postgres.ts'
import { walkPrices } from '../support/walk.ts'

// A value that no reasonable file contains, in one row of many: the row is served without it or refused by name, and
// the other rows are applied.

const database = useDatabase()
const api = useApi(database)
const feed = createFeeder(() => database.db)
const at = '2026-03-01T00:00:00Z'

let key: string
beforeAll(async () => {
  key = (await createCustomer(database.db, { plan: 'enterprise' })).key
})
beforeEach(() =>
  sql`truncate prices, price_versions, rate_cards, changes, change_alternatives, change_evidence, feed_runs, feed_sources,
    feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices`.execute(database.db),
)

/** A file in which `odd` is a name, another text or an amount; `good` is a row beside it. */
interface Odd {
  /** A name, as JSON has it. */
  name?: string
  text?: string
  amount?: string
  /** Any further fields. */
  more?: string
}
// A page for people holds no JSON; how it can be odd is in page-mutations.test.ts.
const forms: Partial<Record<SourceName, (odd: Odd) => string>> = {
  litellm: ({ name = '"acme/odd"', text = '"chat"', amount = '1e-6', more = '' }) =>
    `{${name}: {"litellm_provider": "acme", "mode": ${text}, "input_cost_per_token": ${amount}${more}},
      "acme/good": {"litellm_provider": "acme", "mode": "chat", "input_cost_per_token": 1e-6}}`,
  'models.dev': ({ name = '"odd"', text = '"acme/odd"', amount = '1', more = '' }) =>
    `{"acme": {"models": {${name}: {"base_model": ${text}, "cost": {"input": ${amount}}${more}}}},
      "other": {"models": {"good": {"cost": {"input": 1}}}}}`,
  'genai-prices': ({ name = '"odd"', text = '"2026-01-01"', amount = '1', more = '' }) =>
    `[{"id": "acme", "models": [
        {"id": ${name}, "prices": [{"constraint": {"start_date": ${text}}, "prices": {"input_mtok": ${amount}}}]${more}},
        {"id": "good", "prices": {"input_mtok": 1}}]}]`,
  openrouter: ({ name = '"acme/odd"', text = '"text"', amount = '"0.000001"', more = '' }) =>
    `{"data": [
        {"id": ${name}, "architecture": {"output_modalities": [${text}]}, "pricing": {"prompt": ${amount}}${more}},
        {"id": "acme/good", "pricing": {"prompt": "0.000001"}}]}`,
  portkey: ({ name = '"odd"', text = '"USD"', amount = '0.0001', more = '' }) =>
    `{"acme": {${name}: {"pricing_config": {"currency": ${text}, "pay_as_you_go": {"request_token": {"price": ${amount}}}}${more}},
      "good": {"pricing_config": {"pay_as_you_go": {"request_token": {"price": 0.0001}}}}}}`,
  'llm-prices': ({ name = '"odd"', text = '"Odd"', amount = '1', more = '' }) =>
    `{"updated_at": ${text}, "prices": [
        {"id": ${name}, "vendor": "acme", "name": ${text}, "input": ${amount}, "output": 2${more}},
        {"id": "good", "vendor": "acme", "name": "Good", "input": 1, "output": 2}]}`,
  // Of sellers' own lists: one reader reads them all.
  venice: ({ name = '"acme/odd"', text = '"text"', amount = '1', more = '' }) =>
    `{"data": [
        {"id": ${name}, "type": ${text}, "model_spec": {"pricing": {"input": {"usd": ${amount}}}}${more}},
        {"id": "acme/good", "type": "text", "model_spec": {"pricing": {"input": {"usd": 1}}}}]}`,
  deepinfra: ({ name = '"acme/odd"', text = '"tokens"', amount = '0.0001', more = '' }) =>
    `[{"model_name": ${name}, "pricing": {"type": ${text}, "cents_per_input_token": ${amount}}${more}},
      {"model_name": "acme/good", "pricing": {"type": "tokens", "cents_per_input_token": 0.0001}}]`,
  'own-json': ({ name = '"acme:odd"', text = '"1m_tokens"', amount = '1', more = '' }) =>
    `{"prices": [{"resource_id": ${name}, "unit": ${text}, "input_per_mtok": ${amount}${more}},
      {"resource_id": "acme:good", "input_per_mtok": 1}]}`,
}

const long = JSON.stringify('a'.repeat(1_000_000))
const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
const odds: Record<string, Odd> = {
  'a NUL in its name': { name: '"acme/o\\u0000dd"' },
  'a NUL in a text': { text: '"o\\u0000dd"' },
  'half a character in its name': { name: '"acme/o\\ud800dd"' },
  'half a character in a text': { text: '"o\\ud800dd"' },
  'control characters in its name': { name: '"acme/o\\u001b[31mdd"' },
  'control characters in a text': { text: '"o\\u0007dd\\u001b[31m"' },
  'a name of a million characters': { name: long },
  'a text of a million characters': { text: long },
  'an empty name': { name: '""' },
  'the name __proto__': { name: '"__proto__"' },
  'the name constructor': { name: '"constructor"' },
  'the text __proto__': { text: '"__proto__"' },
  'a field __proto__': { more: ', "__proto__": {"litellm_provider": "x", "polluted": true}' },
  'a number beyond all': { amount: '1e400' },
  'a number below all': { amount: '1e-400' },
  'an amount of a million digits': { amount: '1'.repeat(1_000_000) },
  'an amount that is text of a million characters': { amount: long },
  'an amount with a NUL': { amount: '"1\\u0000"' },
  'an amount that is negative': { amount: '-5' },
  'an amount that is a list': { amount: '[1]' },
  'an amount that is deep': { amount: deep },
  'a text that is deep': { text: deep },
  'a further field that is deep': { more: `, "cost_of_depth": ${deep}` },
  'a further field with a NUL in its name': { more: ', "input_cost_per_\\u0000": 1, "\\u0000": 2' },
  'a million further fields': {
    more: Array.from({ length: 100_000 }, (_, n) => `, "input_cost_per_thing_${n}": 0.5`).join(''),
  },
}

describe.each(Object.entries(forms))('%s', (source, form) => {
  test.each(Object.entries(odds))('%s', async (_name, odd) => {
    const text = form(odd)
    const report = await feed(at, text, { source: source as SourceName })
    expect([report.outcome, report.rows]).toEqual(['applied', 2])
    const rows = await walkPrices(api, key)
    const good = rows.find(({ resource_id }) => /:(?:acme\/)?good$/.test(resource_id))
    expect(good?.input_per_mtok).toBe(1)
    expect(rows.length + report.rejected.length).toBe(2)
    for (const { id, reason } of report.rejected) {
      expect([id.length <= 1_024, reason.length <= 1_024, reason !== '']).toEqual([true, true, true])
    }
    expect(({} as { polluted?: true }).polluted).toBeUndefined()
    // A second run of the same finds the same, and takes nothing for gone.
    const again = await feed('2026-03-02T00:00:00Z', text, { source: source as SourceName })
    expect(again).toMatchObject({ outcome: 'applied', added: [], changed: [], gone: [], changes: [] })
  })
})

describe('own-csv', () => {
  test.each([
    ['a NUL', 'acme:o\u0000dd,1,'],
    ['control characters', 'acme:odd\u001b[31m,1,'],
    ['a field of a million characters', `acme:odd,1,https://acme.example/${'a'.repeat(1_000_000)}`],
    ['a name of a million characters', `acme:${'a'.repeat(1_000_000)},1,`],
    ['a number beyond all', 'acme:odd,1e400,'],
    ['the name __proto__', '__proto__,1,'],
  ])('%s', async (_name, row) => {
    const text = `resource_id,input_per_mtok,source_url\nacme:good,1,\n${row}\nacme:also,1,\n`
    const report = await feed(at, text, { source: 'own-csv' })
    expect([report.outcome, report.rows]).toEqual(['applied', 3])
    expect(report.rejected).toEqual([
      { id: expect.any(String) as string, reason: expect.stringMatching(/^line 3/) as string },
    ])
    expect(await walkPrices(api, key)).toHaveLength(2)
  })
})
