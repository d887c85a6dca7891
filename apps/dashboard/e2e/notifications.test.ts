import { describe, expect, inject, test } from 'vitest'
import { loaded, narrow, useBrowserSession, wide } from './session.ts'

describe.skipIf(!inject('hasBrowser'))('notifications', () => {
  const session = useBrowserSession()

  test('are switched by keyboard, at once, and say that the server cannot mail', async () => {
    for (const viewport of [wide, narrow]) {
      const page = await session.open('/notifications', { viewport })
      await page.getByRole('heading', { name: 'Email is not configured' }).waitFor()
      // A page that is left takes with it what is not sent yet.
      const stored = async (act: () => Promise<unknown>) => {
        const answer = page.waitForResponse((response) => response.request().method() === 'PATCH')
        await act()
        expect((await answer).status()).toBe(200)
      }
      const packs = page.getByRole('switch', { name: 'Packs' })
      const watchList = page.getByRole('switch', { name: 'Watch list' })
      expect(await packs.isChecked()).toBe(true)
      await packs.focus()
      await stored(() => page.keyboard.press('Space'))
      await stored(() => page.getByLabel('How soon').selectOption({ label: 'At once from severity 4 of 5' }))
      await page.reload()
      await loaded(page)
      expect(await packs.isChecked()).toBe(false)
      expect(await page.getByLabel('How soon').inputValue()).toBe('4')
      await stored(() => watchList.click())
      await page.getByLabel('How soon').waitFor({ state: 'detached' })
      await stored(() => packs.click())
      await stored(() => watchList.click())
      await stored(() => page.getByLabel('How soon').selectOption({ index: 0 }))
      await page.context().close()
    }
  })

  test('that the server refuses switch back, and say so', async () => {
    const page = await session.open('/notifications')
    await page.route('**/dashboard/api/notifications', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    const quota = page.getByRole('switch', { name: 'Daily quota' })
    await quota.click()
    await page.getByRole('status').getByText('The server cannot be reached. Check').waitFor()
    await expect.poll(() => quota.isChecked()).toBe(true)
    await page.context().close()
    session.consoleErrors()
  })
})
