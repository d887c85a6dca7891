import { beforeAll, expect, test } from 'vitest'
import { priceRecord, storePrices } from './support/actors.ts'
import { useApi } from './support/api.ts'
import type { Browser } from './support/dashboard-client.ts'
import { signInOwner } from './support/dashboard-owner.ts'
import { changeFile, publish } from './support/fixtures.ts'
import { useDatabase } from './support/postgres.ts'

// What a plan shows of a change beyond its public page, as the script of that page asks for it.

const database = useDatabase()
const api = useApi(database)
let paying: Browser
let free: Browser

beforeAll(async () => {
  paying = await signInOwner(database.db, api.url, { plan: 'developer' })
  free = await signInOwner(database.db, api.url)
  await storePrices(database.db, [priceRecord({ resource_id: 'acme:alpha', currency: 'EUR' })])
  await publish(
    database.db,
    changeFile({
      id: 'chg_full',
      diff_before: JSON.stringify({ 'acme:alpha': { input_per_mtok: 0.25 } }),
      diff_after: JSON.stringify({
        'acme:alpha': { input_per_mtok: 0.2 },
        'acme:gone': { input_per_mtok: 3 },
      }),
      impact_cost: 40,
      impact_notes: 'Half of the <b>bill</b>.',
      migration_deadline: '2027-01-31',
      alternatives: [
        {
          ...{ product_id: 'bolt/beta', product_name: 'Beta', vendor: 'bolt', rank: 1 },
          ...{ migration_effort: 'low', cost_diff_pct: -12.5 },
        },
      ],
    }),
    changeFile({ id: 'chg_text', diff_before: 'cheap', diff_after: 'cheaper' }),
  )
})

async function details(browser: Browser, id: string): Promise<string | null> {
  const { status, body } = await browser.get(`/changes/${id}/details`)
  expect(status).toBe(200)
  const { html } = (body as { data: { html: string | null } }).data
  return html && html.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ')
}

test('a paid plan has the deadline, each move in its currency, the impact and the alternatives', async () => {
  const text = await details(paying, 'chg_full')
  expect(text).toContain('Move until 2027-01-31 .')
  expect(text).toMatch(/acme:alpha Input EUR.0\.25 EUR.0\.20 −20 %/)
  // It is not served, so its currency is not known.
  expect(text).toMatch(/acme:gone Input – 3 /)
  expect(text).toMatch(/Cost 40 of 100 .*Half of the &#60;b&#62;bill&#60;\/b&#62;\./)
  expect(text).toMatch(/Beta Bolt −12\.5 % low/)
  expect(await details(paying, 'chg_text')).toContain('cheap cheaper')
})

test('the free plan has no more than the page, and nobody has what is no change', async () => {
  expect(await details(free, 'chg_full')).toBeNull()
  expect((await paying.get('/changes/chg_none/details')).status).toBe(404)
  expect((await paying.send('GET', '/changes/chg_full/details', undefined, { cookie: null })).status).toBe(
    401,
  )
  const page = (await api.request('/changes/chg_full')).body as string
  expect(page).toContain('data-details="chg_full"')
  for (const withheld of ['2027-01-31', 'Beta', 'Half of the']) expect(page).not.toContain(withheld)
})
