import type { BrowserContextOptions, Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { violations } from './axe.ts'
import { walkWithTab } from './actions.ts'
import { everyPage, pathOf, type PageOfInterest } from './pages.ts'
import { useSeededSession } from './seeded-session.ts'
import { narrow, wide } from './session.ts'

/** Every 40 px, for a table overflows between the widths that people try. */
const widthsPx = Array.from({ length: 25 }, (_, index) => 320 + 40 * index).concat(1440, 1920)

describe.skipIf(!inject('hasBrowser'))('every page', () => {
  const seeded = useSeededSession()
  const { session } = seeded
  const open = (page: PageOfInterest, options: BrowserContextOptions): Promise<Page> =>
    (page.signedIn ? session.open : session.openSignedOut)(pathOf(page, seeded.seeds), options)
  const pages = everyPage.map((page) => [page.name, page] as const)

  test.each(pages)('%s: axe finds nothing, wide and narrow, light and dark', async (_name, page) => {
    const opened = await open(page, { viewport: wide })
    for (const viewport of [wide, narrow]) {
      await opened.setViewportSize(viewport)
      expect(await fits(opened)).toBe(true)
      for (const colorScheme of ['light', 'dark'] as const) {
        await opened.emulateMedia({ colorScheme })
        expect(await violations(opened), `${viewport.width} px, ${colorScheme}`).toEqual([])
      }
    }
    await opened.context().close()
  })

  test.each(pages)('%s: Tab reaches everything, and nothing scrolls sideways', async (_name, page) => {
    const opened = await open(page, { viewport: wide })
    // One sees where one is.
    expect(await walkWithTab(opened)).toEqual({ unreached: [], unseen: [] })
    const sideways: number[] = []
    for (const widthPx of widthsPx) {
      await opened.setViewportSize({ width: widthPx, height: 800 })
      if (!(await fits(opened))) sideways.push(widthPx)
    }
    expect(sideways).toEqual([])
    await opened.context().close()
  })

  test.each([
    ['/keys', /^Create a key$/],
    ['/keys', /^Rename /],
    ['/keys', /^Rotate /],
    ['/keys', /^Revoke /],
    ['/webhooks', /^Add a webhook$/],
    ['/webhooks/:id', /^Change$/],
    ['/webhooks/:id', /^Filter$/],
    ['/webhooks/:id', /^Replace the secret$/],
    ['/webhooks/:id', /^Delete$/],
    ['/account/members', /^Invite member$/],
    ['/account/sessions', /^Add a passkey$/],
    ['/review/:id', /^Accept$/],
    ['/review/:id', /^Reject$/],
  ])('%s: axe finds nothing in the dialog of %s, light and dark', async (route, name) => {
    const opened = await open({ name: route, route, signedIn: true }, { viewport: narrow })
    await opened.getByRole('button', { name }).first().click()
    await opened.getByRole('dialog').waitFor()
    for (const colorScheme of ['light', 'dark'] as const) {
      await opened.emulateMedia({ colorScheme })
      expect(await violations(opened), colorScheme).toEqual([])
    }
    await opened.context().close()
  })
})

/** Whether a page is no wider than its window, once tables have become cards where they must. */
function fits(page: Page): Promise<boolean> {
  const isAsWide = () => document.documentElement.scrollWidth === document.documentElement.clientWidth
  return page.waitForFunction(isAsWide, null, { polling: 20, timeout: 2_000 }).then(
    () => true,
    () => false,
  )
}
