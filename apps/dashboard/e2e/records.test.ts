import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { violations } from './axe.ts'
import type { Product } from './product.ts'
import { closed, loaded, narrow, useBrowserSession, wide } from './session.ts'

// A record with everything that is stored about it, and what one does with prices: find, compare, calculate.

const bedrock = 'bedrock:us:us.anthropic.claude-sonnet-4-5-20250929-v1:0'

const rows = {
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0': {
    litellm_provider: 'bedrock_converse',
    mode: 'chat',
    input_cost_per_token: 3.3e-6,
    output_cost_per_token: 1.65e-5,
    cache_creation_input_token_cost: 4.125e-6,
    cache_creation_input_token_cost_above_1hr: 6.6e-6,
  },
  'gemini/gemini-2.5-pro': {
    litellm_provider: 'gemini',
    mode: 'chat',
    input_cost_per_token: 1.25e-6,
    output_cost_per_token: 1e-5,
    input_cost_per_token_batches: 6.25e-7,
    output_cost_per_token_batches: 5e-6,
    deprecation_date: '2999-06-17',
    source: 'https://prices.example/gemini',
  },
}
const moved = {
  ...rows,
  'us.anthropic.claude-sonnet-4-5-20250929-v1:0': {
    ...rows['us.anthropic.claude-sonnet-4-5-20250929-v1:0'],
    input_cost_per_token: 3e-6,
  },
}
const own = [
  { resource_id: 'acme:alpha', input_per_mtok: '1', output_per_mtok: '2', effective_at: '2026-01-01' },
  { resource_id: 'acme:alpha', input_per_mtok: '2', output_per_mtok: '2', effective_at: '2999-01-01' },
]

async function feed({ ratecard }: Product): Promise<void> {
  const run = async (source: string, content: unknown, at: string) => {
    const file = join(tmpdir(), `ratecard-records-${process.pid}.json`)
    await writeFile(file, JSON.stringify(content))
    await ratecard('feed', 'run', source, '--file', file, '--observed-at', at, '--no-alert', '--accept-file')
  }
  await run('litellm', rows, '2026-03-01T12:00:00Z')
  await run('litellm', moved, '2026-04-01T12:00:00Z')
  await run('own-json', own, '2026-04-02T12:00:00Z')
}

describe.skipIf(!inject('hasBrowser'))('records of prices', () => {
  const session = useBrowserSession()
  beforeAll(() => feed(session.product))
  const openRecord = async (id: string, viewport = wide) => {
    const page = await session.open(`/prices?record=${encodeURIComponent(id)}`, { viewport })
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'Who says so' }).waitFor()
    return { page, dialog, text: (await dialog.innerText()).replaceAll(/\s+/g, ' ') }
  }

  test('deepseek:deepseek-chat shows its hours', async () => {
    const { page, text } = await openRecord('deepseek:deepseek-chat')
    for (const part of [
      '$0.27',
      '$1.10',
      '$0.07',
      '16:30-00:30 UTC',
      '$0.135',
      '$0.55',
      '× 0.5',
      'genai-prices',
    ])
      expect(text).toContain(part)
    await page.context().close()
  })

  test('google:gemini-2.5-pro shows its long context, its batch, and who says so', async () => {
    const { page, dialog, text } = await openRecord('google:gemini-2.5-pro')
    for (const part of [
      'above 200,000 input tokens',
      '$2.50',
      '$15.00',
      '× 2',
      'genai-prices',
      'litellm',
      'confirmed',
    ])
      expect(text).toContain(part)
    expect(text).toContain('Some requests pay more')
    const link = dialog.getByRole('link', { name: 'Public page' })
    expect(await link.getAttribute('href')).toBe('/models/google/gemini-2.5-pro')
    await page.context().close()
  })

  test('a regional record shows its region, its writes to the cache, and its history as a chart', async () => {
    const { page, dialog, text } = await openRecord(bedrock)
    for (const part of ['Amazon Bedrock', 'us', 'Cache write', '$4.125', 'kept for 1 hour', '$6.60', '$3.00'])
      expect(text).toContain(part)
    const chart = dialog.getByRole('img', { name: /Input from \$3\.30 to \$3\.00/ })
    await chart.waitFor()
    await dialog.getByText(/Show as table/).click()
    await dialog.getByRole('table', { name: /What bedrock:us/ }).waitFor()
    await page.context().close()
  })

  test('an announced price shows its day, in the record, in the table and in the calculator', async () => {
    const { page, dialog, text } = await openRecord('acme:alpha')
    expect(text).toMatch(/2999-01-01 Input \$1\.00 → \$2\.00 per 1M tokens \+100 %/)
    await dialog.getByRole('link', { name: 'Calculate' }).click()
    await page.getByRole('table', { name: /Costs by platform/ }).waitFor()
    // 10,000 requests of 2,000 and 500 tokens: 20 x 1 + 5 x 2
    const costs = (await page.getByRole('table').innerText()).replaceAll(/\s+/g, ' ')
    expect(costs).toContain('$30.00')
    expect(costs).toContain('From 2999-01-01: $50.00 a month.')
    await page.goto('/dashboard/prices?search=acme:alpha')
    await page.locator('[data-row="0"]').getByText('changes 2999-01-01').waitFor()
    await page.context().close()
  })

  test.each([wide, narrow])('at %o axe finds nothing in a whole record, light and dark', async (viewport) => {
    const { page } = await openRecord(bedrock, viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await violations(page), colorScheme).toEqual([])
    }
    const isSideways = await page
      .getByRole('dialog')
      .evaluate((element) => element.scrollWidth > element.clientWidth)
    expect(isSideways).toBe(false)
    await page.context().close()
  })

  test('what is misspelled is offered, and filters say that they hide', async () => {
    const page = await session.open('/prices?search=gemni')
    await page.getByRole('button', { name: 'gemini', exact: true }).click()
    await page
      .locator('[data-row="0"] .price-name')
      .getByText(/^Gemini/)
      .waitFor()
    const count = async () => Number((await page.getByRole('status').first().innerText()).split(' ')[0])
    const all = await count()
    await page.getByLabel('Hide resellers').check()
    await expect.poll(count).toBeLessThan(all)
    expect(new URL(page.url()).searchParams.get('own')).toBe('1')
    await page.context().close()
  })

  test('C2: the product is chosen from what is offered, by the keyboard, and nothing jumps', async () => {
    const page = await session.open('/prices')
    const table = page.getByRole('table', { name: 'Price records' })
    const before = (await table.boundingBox())!.y
    await page.getByRole('combobox', { name: 'Product' }).fill('gemini2.5 pro')
    await page.getByRole('listbox').getByRole('option').first().waitFor()
    expect((await table.boundingBox())!.y).toBe(before)
    await page.keyboard.press('Enter')
    await page.waitForURL(/product=google%2Fgemini-2\.5-pro/)
    await page.getByRole('combobox', { name: 'Product' }).fill('')
    await page.waitForURL((url) => !url.searchParams.has('product'))
    await page.context().close()
  })

  test('C3: on a phone the first price is in sight, the whole row opens it, and only the page scrolls', async () => {
    const page = await session.open('/prices', { viewport: narrow })
    const row = page.locator('[data-row="0"]')
    const { y, height } = (await row.boundingBox())!
    expect(y + height).toBeLessThan(narrow.height)
    const scrollers = await page.evaluate(
      () =>
        [...document.querySelectorAll('main *')].filter(
          (element) =>
            element.scrollHeight > element.clientHeight + 1 &&
            /auto|scroll/.test(getComputedStyle(element).overflowY),
        ).length,
    )
    expect(scrollers).toBe(0)
    await row.click({ position: { x: 200, y: height - 12 } })
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await closed(page.getByRole('dialog'))
    await page.context().close()
  })

  test('a link to a record that has gone says so at the top, and offers the nearest', async () => {
    const page = await session.open('/prices?record=minimax:gemini-2.5-pro')
    const notice = page.getByRole('heading', { name: /There is no record/ })
    await notice.waitFor()
    expect((await notice.boundingBox())!.y).toBeLessThan(400)
    await page.getByRole('button', { name: 'Gemini 2.5 Pro' }).click()
    await notice.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('ticked records are compared side by side, the lowest is marked, and the ticks stay', async () => {
    const page = await session.open('/prices?search=gpt-4o')
    const boxes = page.getByRole('checkbox', { name: /^Compare / })
    await boxes.nth(0).check()
    await boxes.nth(1).check()
    await page.getByRole('link', { name: 'Compare 2' }).click()
    await loaded(page)
    const table = page.getByRole('region', { name: 'Comparison' })
    await table
      .getByRole('row', { name: /^Input/ })
      .first()
      .waitFor()
    const add = page.getByRole('combobox', { name: 'Add a model' })
    await add.fill('gemini2.5 pro')
    await page.getByRole('listbox').getByRole('option').first().click()
    await table.getByRole('columnheader', { name: /Gemini 2\.5 Pro/ }).waitFor()
    await table
      .getByRole('row', { name: /above 200,000 input tokens/ })
      .first()
      .waitFor()
    expect(await table.getByText('lowest').count()).toBeGreaterThan(0)
    expect(await violations(page)).toEqual([])
    await page.reload()
    await table.getByRole('columnheader', { name: /Gemini 2\.5 Pro/ }).waitFor()
    await table.getByRole('button', { name: /^Remove Gemini 2\.5 Pro/ }).click()
    await table.getByRole('columnheader', { name: /Gemini 2\.5 Pro/ }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'All prices' }).click()
    await page.getByRole('region', { name: 'To compare' }).getByText('2 of 4').waitFor()
    await page.context().close()
  })

  test('all prices are loaded when somebody types, not before', async () => {
    for (const path of ['/compare', '/calculator']) {
      const page = await session.open(path)
      const hasPrices = () =>
        page.evaluate(() =>
          performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/api/prices')),
        )
      await page.getByRole('combobox').first().waitFor()
      expect(await hasPrices()).toBe(false)
      await page.getByRole('combobox').first().fill('gemini2.5 pro')
      await page
        .getByRole('option', { name: /Gemini 2\.5 Pro/ })
        .first()
        .waitFor()
      expect(await hasPrices()).toBe(true)
      await page.context().close()
    }
  })

  test('the calculator counts exactly, by the rate card, and says what it does not know', async () => {
    const page = await session.open('/calculator')
    await page.getByRole('combobox', { name: 'Model' }).fill('gemini2.5 pro')
    await page.getByRole('listbox').getByRole('option').first().click()
    const row = page.getByRole('row', { name: /google:gemini-2\.5-pro/ })
    const text = async () => (await row.innerText()).replaceAll(/\s+/g, ' ')
    // 20 million tokens in, 5 million out.
    await expect.poll(text).toContain('$75.00')
    await page.getByLabel('Input tokens').fill('300,000')
    // 3,000 million in and 5 million out, all at the rates of long prompts.
    await expect.poll(text).toContain('$7,575.00')
    expect(await text()).toContain('At the rates of long prompts.')
    await page.getByLabel('Requests').fill('1.5')
    await page.getByText('Write a whole number up to 1,000,000,000,000.').waitFor()
    await page.getByLabel('Requests').fill('1')
    await expect.poll(text).toContain('$0.76')
    await page.getByRole('combobox', { name: 'Each' }).selectOption('day')
    await page.getByRole('columnheader', { name: 'A day' }).waitFor()
    expect(await violations(page)).toEqual([])
    await page.goto(`/dashboard/calculator?model=anthropic/claude-sonnet-4-5&batch=1`)
    await page.getByText('No price of input and output is known here.').first().waitFor()
    expect(await page.getByRole('table').innerText()).not.toContain('$0.00')
    await page.context().close()
  })
})
