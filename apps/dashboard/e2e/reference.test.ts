import { describe, expect, inject, test } from 'vitest'
import { violations } from './axe.ts'
import { narrow, useBrowserSession, wide } from './session.ts'

describe.skipIf(!inject('hasBrowser'))('the API reference', () => {
  const session = useBrowserSession()

  test('B5: "Try it" answers with prices at the first press', async () => {
    const page = await session.openSignedOut('/sign-in')
    await page.goto('/docs/#listPrices')
    const form = page.locator('#listPrices form.try')
    await form.getByRole('button', { name: 'Send the request' }).click()
    await form.getByText('Your key is needed first').waitFor()
    await page.getByLabel(/Your API key/).fill(session.product.demo.key)
    await form.getByLabel('vendor').fill('openai')
    await form.getByLabel('limit').fill('2')
    await form.getByRole('button', { name: 'Send the request' }).click()
    await form.getByText(/^200 OK, after \d+ ms$/).waitFor()
    const [headers, body] = await form.locator('.result pre').allInnerTexts()
    expect(headers).toMatch(/x-ratelimit-remaining: \d+/)
    expect(JSON.parse(body!)).toMatchObject({ data: [{ vendor: 'openai' }, { vendor: 'openai' }] })
    await page.context().close()
  })

  test('A1, B17: has a way back, is light, and axe finds nothing in it, light and dark', async () => {
    for (const viewport of [wide, narrow]) {
      const page = await session.openSignedOut('/sign-in', { viewport })
      await page.goto('/docs/')
      expect(await page.getByRole('link', { name: 'Sign up', exact: true }).isVisible()).toBe(true)
      const bytes = await page.evaluate(() =>
        (performance.getEntries() as PerformanceResourceTiming[]).reduce(
          (sum, { transferSize = 0 }) => sum + transferSize,
          0,
        ),
      )
      expect(bytes).toBeLessThan(200_000)
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await violations(page), `${viewport.width} px, ${colorScheme}`).toEqual([])
      }
      await page.context().close()
    }
  })
})
