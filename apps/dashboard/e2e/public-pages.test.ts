import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { writePrices } from '../../server/src/catalog/write-prices.ts'
import { priceRecord } from '../../server/test/support/actors.ts'
import { walkWithTab } from './actions.ts'
import { violations } from './axe.ts'
import { everyKind, findPage, oddPages } from './public-pages.ts'
import { narrow, useBrowserSession, wide } from './session.ts'

// The pages that a stranger and a search engine see, on the bundled prices.

const pages = [...everyKind, ...oddPages]
const [leastPx, mostPx, stepPx] = [320, 1920, 40]

describe.skipIf(!inject('hasBrowser'))('public pages', () => {
  const session = useBrowserSession()
  const open = async (path: string, options: BrowserContextOptions = {}) => {
    const context = await session.browser.newContext({
      baseURL: session.product.url,
      viewport: wide,
      ...options,
    })
    const page = await context.newPage()
    const errors: string[] = []
    page.on('console', (message) => {
      const isAnswer = /responded with a status of 4\d\d/.test(message.text())
      if (message.type() === 'error' && !isAnswer) errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(await findPage(session.product.url, path))
    const close = async () => {
      await context.close()
      // A refusal by the policy is one, too.
      expect(errors).toEqual([])
    }
    return { page, close }
  }
  const isSideways = (page: Page) =>
    page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth)

  test('a stranger finds the price of a named model in two clicks', async () => {
    const { page, close } = await open('/')
    await page.getByLabel('Search for a model').fill('gemini2.5 pro')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('link', { name: 'Gemini 2.5 Pro', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Gemini 2.5 Pro' }).waitFor()
    const text = await page.locator('main').innerText()
    for (const part of ['$1.25', '$10.00', 'above 200,000 input tokens', '$2.50'])
      expect(text).toContain(part)
    await close()
  })

  test('a chart tells its values without a script, to who points at it and to who has no pointer', async () => {
    const record = priceRecord({ resource_id: 'acme:moved', product_id: 'acme/moved', vendor: 'acme' })
    for (const [input, observedAt] of [['2', '2026-01-01T00:00:00Z'], ['3', '2026-02-01T00:00:00Z']] as const)
      await session.product.withDb((db) =>
        db.transaction().execute((trx) => {
          const write = { record: { ...record, input_per_mtok: input }, source: 'test', rates: [] }
          return writePrices(trx, [write], { runId: null, observedAt })
        }),
      ) // prettier-ignore
    const served = async () => (await fetch(`${session.product.url}/models/acme/moved`)).text()
    await expect.poll(served, { timeout: 20_000 }).toContain('Since 2026-02-01')
    const { page, close } = await open('/models/acme/moved', { javaScriptEnabled: false })
    const band = page.locator('.chart .at').last()
    const value = band.getByText(/^\$\d/).first()
    expect(await value.isVisible()).toBe(false)
    await band.locator('rect').hover()
    expect(await value.isVisible()).toBe(true)
    expect(await band.getAttribute('aria-label')).toContain(await value.textContent())
    await page.mouse.move(0, 0)
    expect(await value.isVisible()).toBe(false)
    await band.focus()
    expect(await value.isVisible()).toBe(true)
    await close()
  })

  test('the same without a script', async () => {
    const { page, close } = await open('/', { javaScriptEnabled: false })
    await page.getByLabel('Search for a model').fill('deepseek chat')
    await page.getByLabel('Search for a model').press('Enter')
    await page.getByRole('link', { name: 'DeepSeek Chat', exact: true }).click()
    await page.getByLabel('Input, million tokens').fill('1000')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.waitForURL(/[?&]in=1000(?:&|$)/)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('DeepSeek Chat')
    await close()
  })

  test('what is typed is found at once, and what is ticked stays ticked', async () => {
    const { page, close } = await open('/models')
    const row = (name: string) => page.getByRole('checkbox', { name: `Compare ${name}`, exact: true })
    await page.keyboard.press('/')
    await page.keyboard.type('gpt-4o mini')
    await page.waitForURL((url) => url.search === '?q=gpt-4o+mini')
    await row('GPT-4o Mini').check()
    expect(await page.getByRole('button', { name: 'Compare' }).isDisabled()).toBe(true)
    await page.getByRole('searchbox').fill('gemni 2.5 pro')
    await page.getByText('Showing results for').waitFor()
    await row('Gemini 2.5 Pro').check()
    expect(await row('GPT-4o Mini').count()).toBe(0)
    await page.getByRole('button', { name: 'Compare 2 of 4' }).click()
    await page.getByRole('heading', { level: 1, name: 'GPT-4o Mini vs Gemini 2.5 Pro' }).waitFor()
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'gemni 2.5 pro' }).waitFor()
    await close()
  })

  test('four are compared at most', async () => {
    const { page, close } = await open('/models')
    const boxes = page.getByRole('checkbox', { name: /^Compare/ })
    for (const place of [0, 1, 2, 3]) await boxes.nth(place).check()
    expect(await boxes.nth(4).isDisabled()).toBe(true)
    await boxes.nth(0).uncheck()
    expect(await boxes.nth(4).isDisabled()).toBe(false)
    await close()
  })

  test('the calculator follows what is typed, and says what the server says', async () => {
    const { page, close } = await open('/models/google/gemini-2.5-pro')
    const costs = () => page.locator('[data-cost]').allInnerTexts()
    const before = await costs()
    await page.getByLabel('Input, million tokens').fill('12.5')
    await page.getByLabel('Cached input (%)').fill('40')
    const typed = await costs()
    expect(typed).not.toEqual(before)
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.waitForURL(/in=12\.5/)
    const clean = (texts: string[]) => texts.map((text) => text.replace('unknown', '').trim()).sort()
    expect(clean(await costs())).toEqual(clean(typed))
    // 1.25 million tokens each: the server picks the rates of long prompts.
    await page.getByLabel('Requests, if known').fill('10')
    await page.locator('[data-cost]').getByText('long prompts').first().waitFor()
    expect(new URL(page.url()).search).not.toContain('requests=10')
    await page.getByLabel('Requests, if known').fill('')
    await expect.poll(async () => clean(await costs())).toEqual(clean(typed))
    await close()
  })

  test.each([...pages, '/docs/'])('%s takes 80 KB and six requests at most', async (path) => {
    // A page of ours would ask for its icon until now.
    const { page, close } = await open('about:blank')
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Network.enable')
    let [bytes, requests] = [0, 0]
    devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength))
    page.on('request', () => (requests += 1))
    await page.goto(await findPage(session.product.url, path), { waitUntil: 'networkidle' })
    expect(bytes).toBeLessThanOrEqual(80_000)
    expect(requests).toBeLessThanOrEqual(6)
    expect(requests).toBeGreaterThan(2)
    await close()
  })

  test.each(pages)('%s scrolls sideways at no width', async (path) => {
    const { page, close } = await open(path)
    const tooWide: number[] = []
    for (let width = leastPx; width <= mostPx; width += stepPx) {
      await page.setViewportSize({ width, height: 800 })
      if (await isSideways(page)) tooWide.push(width)
    }
    expect(tooWide).toEqual([])
    await close()
  })

  // One page of each kind is held to that in makes.test.ts.
  test.each(oddPages)('%s: axe finds nothing, wide and narrow, light and dark', async (path) => {
    const { page, close } = await open(path)
    for (const viewport of [wide, narrow]) {
      await page.setViewportSize(viewport)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await violations(page), `${viewport.width} px, ${colorScheme}`).toEqual([])
      }
    }
    await close()
  })

  test.each(['/', '/models?q=gpt4o', '/changes', '/compare'])(
    '%s: Tab reaches everything, and one sees where one is',
    async (path) => {
      const { page, close } = await open(path)
      expect(await walkWithTab(page)).toEqual({ unreached: [], unseen: [] })
      await close()
    },
  )
})
