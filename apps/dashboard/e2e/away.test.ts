import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { freePort } from '../../server/src/database/embedded.ts'
import { useBrowserSession } from './session.ts'

// The network is gone, or the server: what is on the screen stays, it is said in words, and nobody has to press anything.

const port = await freePort()

describe.skipIf(!inject('hasBrowser'))('the dashboard without a server', () => {
  const session = useBrowserSession(() => ({ PORT: String(port) }))
  const banner = (page: Page) => page.getByText('What you see is from before')
  const keys = (page: Page) => page.getByRole('table', { name: 'Active keys' })
  /** Waits until every page's script is there, and marks the window: a page that is loaded again has no mark. */
  const prepare = async (page: Page) => {
    const isFetched = () =>
      ['AcceptInvitationPage', 'ResetPasswordPage'].every((name) =>
        performance.getEntriesByType('resource').some((entry) => entry.name.includes(`/${name}-`)),
      )
    await page.waitForFunction(isFetched)
    await page.evaluate(() => Object.assign(window, { isSame: true }))
  }
  const isSame = (page: Page) => page.evaluate(() => 'isSame' in window)

  test('offline, what is shown stays, other pages open, and all is read again when the network is back', async () => {
    const page = await session.open('/keys')
    await keys(page).waitFor()
    await prepare(page)
    await page.context().setOffline(true)
    await page.getByText('You are offline').waitFor()
    // Longer than a poll of the page takes to fail.
    await page.waitForTimeout(8_000)
    expect(await keys(page).isVisible()).toBe(true)
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
    expect(await page.getByText(/imported module|preload/).count()).toBe(0)
    await page.context().setOffline(false)
    await banner(page).waitFor({ state: 'detached' })
    await page.getByRole('alert').waitFor({ state: 'detached' })
    expect(await isSame(page)).toBe(true)
    session.consoleErrors()
    await page.context().close()
  })

  test('a server that is killed is told of without a word of the browser, and found again by itself', async () => {
    const page = await session.open('/keys')
    await keys(page).waitFor()
    await prepare(page)
    await session.product.kill()
    await banner(page).waitFor()
    await page.waitForTimeout(8_000)
    expect(await keys(page).isVisible()).toBe(true)
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    await page.getByRole('heading', { name: 'Requests', exact: true }).waitFor()
    await session.product.startAgain()
    await banner(page).waitFor({ state: 'detached' })
    await page.getByRole('alert').waitFor({ state: 'detached' })
    expect(await isSame(page)).toBe(true)
    session.consoleErrors()
    await page.context().close()
  })

  test('a page whose script could not be fetched says one sentence, and opens by itself', async () => {
    const page = await session.open('/keys')
    await page.context().route('**/assets/UsagePage-*', (route) => route.abort())
    await page.reload()
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await page.getByText('This page opens by itself').waitFor()
    expect(await page.getByText(/imported module|preload/).count()).toBe(0)
    await page.context().unroute('**/assets/UsagePage-*')
    await page.getByRole('heading', { name: 'Usage', exact: true }).waitFor()
    session.consoleErrors()
    await page.context().close()
  })
})
