import type { Page } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { violations } from './axe.ts'
import { hasFirefox, makes, setWidth, type Make, type Preferences } from './makes.ts'
import { startProduct, type Product } from './product.ts'
import { everyKind, findPage } from './public-pages.ts'

// Each kind of public page in both makes of browsers.

const widthsPx = [320, 768, 1280, 1920]
const readers: (Preferences & { name: string; axeAtPx: number })[] = [
  { name: 'light', scheme: 'light', axeAtPx: 320 },
  { name: 'dark', scheme: 'dark', axeAtPx: 1280 },
  { name: 'forced colours', hasForcedColours: true, axeAtPx: 768 },
]

const canStart = { Chromium: inject('hasBrowser'), Firefox: hasFirefox }
for (const [name, isThere] of Object.entries(canStart))
  if (!isThere) console.warn(`SKIPPED: there is no ${name} on this machine.`)

/** Puppeteer's own ways to wait need what the pages' policy refuses, or scripts. */
const textOf = (page: Page, selector: string): Promise<string | null> =>
  page.evaluate((found) => document.querySelector(found)?.textContent.trim() ?? null, selector)

describe.each(Object.entries(makes))('%s', (name, start) => {
  describe.skipIf(!canStart[name as keyof typeof makes])('public pages', () => {
    let product: Product
    let make: Make
    beforeAll(async () => {
      ;[product, make] = await Promise.all([startProduct(), start()])
    })
    afterAll(() => Promise.all([make.close(), product.stop()]))

    /** Opens a page, and fails at its end when it logged an error. */
    async function see(kind: string, preferences: Preferences, look: (page: Page) => Promise<void>) {
      const page = await make.open(preferences)
      const errors: string[] = []
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text())
      })
      page.on('pageerror', (error) => errors.push(String(error)))
      await setWidth(page, 1280)
      await page.goto(product.url + (await findPage(product.url, kind)))
      await look(page)
      await page.browserContext().close()
      expect(errors).toEqual([])
    }

    test.each(everyKind)(
      '%s: axe finds nothing, nothing scrolls sideways, light in bytes, and for paper',
      async (kind) => {
        for (const { name: reader, axeAtPx, ...preferences } of readers) {
          await see(kind, preferences, async (page) => {
            if (reader === 'light') {
              const { bytes, requests } = await firstSight(page)
              expect(bytes).toBeLessThanOrEqual(80_000)
              expect(requests).toBeLessThanOrEqual(6)
            }
            for (const widthPx of widthsPx) {
              await setWidth(page, widthPx)
              const at = `${reader}, ${widthPx} px`
              expect(await page.evaluate(sidewaysPx), at).toBe(0)
              if (widthPx === axeAtPx) expect(await violations(page), at).toEqual([])
            }
            await make.print(page)
            expect(await page.$$eval('h1, nav.menu, .foot, form', namesOfVisible), reader).toEqual(['H1'])
          })
        }
      },
    )

    test.each(everyKind)('%s: the same without a script', async (kind) => {
      const shown: unknown[] = []
      for (const hasScripts of [true, false])
        await see(kind, { hasScripts }, async (page) => void shown.push(await page.evaluate(summary)))
      expect(shown[1]).toEqual(shown[0])
    })

    test('a search and a sort without a script', async () => {
      await see('home', { hasScripts: false }, async (page) => {
        await page.focus('input[name=q]')
        await page.keyboard.type('gemini2.5 pro')
        await page.keyboard.press('Enter')
        await expect.poll(() => textOf(page, 'tbody a')).toBe('Gemini 2.5 Pro')
        await page.focus('thead a[href*="sort=output"]')
        await page.keyboard.press('Enter')
        await expect.poll(() => textOf(page, 'thead [aria-current]')).toMatch(/^Output/)
      })
    })

    test('with the keyboard: to the content, into the search, and a sort', async () => {
      await see('models', {}, async (page) => {
        await page.keyboard.press('Tab')
        const left = () => page.$eval('.skip:focus', (link) => link.getBoundingClientRect().left)
        expect(await left()).toBeGreaterThanOrEqual(0)
        await page.keyboard.press('Enter')
        await expect.poll(() => textOf(page, '#main:focus')).not.toBe(null)
        await page.keyboard.press('/')
        await expect.poll(() => textOf(page, 'input[name=q]:focus')).not.toBe(null)
        await page.keyboard.type('gpt-4o mini')
        await expect.poll(() => page.evaluate(() => location.search)).toBe('?q=gpt-4o+mini')
        const isThere = () => textOf(page, 'thead a[href*="sort=output"]:focus')
        for (let tabs = 0; tabs < 60 && (await isThere()) === null; tabs += 1)
          await page.keyboard.press('Tab')
        await page.keyboard.press('Enter')
        await expect.poll(() => textOf(page, 'thead [aria-current]')).toMatch(/^Output/)
      })
    })
  })
})

const sidewaysPx = () => document.documentElement.scrollWidth - document.documentElement.clientWidth

const namesOfVisible = (elements: Element[]) =>
  elements.filter((element) => element.checkVisibility()).map(({ tagName }) => tagName)

const summary = () => [
  document.querySelector('h1')?.innerText,
  document.querySelectorAll('main tr').length,
  document.querySelectorAll('main a').length,
]

/** What a first visit takes. The icon of a tab is no part of the page: one make lists it, and the other does not. */
async function firstSight(page: Page): Promise<{ bytes: number; requests: number }> {
  const entries = await page.evaluate(() =>
    ['navigation', 'resource']
      .flatMap((type) => performance.getEntriesByType(type) as PerformanceResourceTiming[])
      .map(({ name, transferSize }) => ({ name, transferSize })),
  )
  const loaded = entries.filter(({ name }) => !name.includes('icon'))
  return { bytes: loaded.reduce((sum, entry) => sum + entry.transferSize, 0), requests: loaded.length }
}
