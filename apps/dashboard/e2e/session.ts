import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { openBrowser } from './browser.ts'
import { startProduct, type Product } from './product.ts'

/** A browser with a user signed in to a product of its own. */
export interface BrowserSession {
  product: Product
  browser: Browser
  /** Opens a page below `/dashboard` in a window of its own. */
  open: (path: string, options?: BrowserContextOptions) => Promise<Page>
  /** The same without the session. */
  openSignedOut: (path: string, options?: BrowserContextOptions) => Promise<Page>
  /** Errors in the browser's console since the last call, refusals by the policy included. */
  consoleErrors: () => string[]
  end: () => Promise<void>
}

export const wide = { width: 1280, height: 800 }
export const narrow = { width: 360, height: 740 }

/**
 * A session for the tests around. A test fails when a page logs an error.
 * @param settings of the product, read after the set-up before it
 */
export function useBrowserSession(
  settings: () => Record<string, string> = () => ({}),
  stripeUrl: () => string | undefined = () => undefined,
): BrowserSession {
  const session = {} as BrowserSession
  beforeAll(async () => {
    Object.assign(session, await startBrowserSession(settings(), stripeUrl()))
  })
  afterEach(() => {
    expect(session.consoleErrors()).toEqual([])
  })
  afterAll(() => (session as Partial<BrowserSession>).end?.())
  return session
}

export async function startBrowserSession(
  settings: Record<string, string> = {},
  stripeUrl?: string,
): Promise<BrowserSession> {
  const product = await startProduct(settings, stripeUrl)
  const browser = await openBrowser()
  const seen: string[] = []
  const listen = (page: Page) => {
    page.on('console', (message) => {
      // A refusal by the server is an answer, which the page explains.
      if (message.type() !== 'error' || /responded with a status of 4\d\d/.test(message.text())) return
      seen.push(`${page.url()}: ${message.text()}`)
    })
    page.on('pageerror', (error) => seen.push(`${page.url()}: ${error.message}`))
  }
  const openContext = (options: BrowserContextOptions) =>
    browser.newContext({ baseURL: product.url, viewport: wide, locale: 'en-US', ...options })

  const first = await openContext({})
  await signIn(await first.newPage(), product.demo)
  const storageState = await first.storageState()
  await first.close()

  const openWith = async (path: string, options: BrowserContextOptions) => {
    const page = await (await openContext(options)).newPage()
    listen(page)
    await page.goto(`/dashboard${path}`)
    await loaded(page)
    return page
  }
  return {
    product,
    browser,
    open: (path, options) => openWith(path, { storageState, ...options }),
    openSignedOut: (path, options = {}) => openWith(path, options),
    consoleErrors: () => seen.splice(0),
    end: async () => {
      await browser.close()
      await product.stop()
    },
  }
}

/** Signs in on the sign-in page, as a user does. */
export async function signIn(page: Page, { email, password }: Product['demo']): Promise<void> {
  await page.goto('/dashboard')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'account menu' }).waitFor()
}

/** Waits until a page has its heading and no part of it is still loading. */
export async function loaded(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(() => !document.querySelector('.skeleton'))
}

/** Waits until a dialog is gone. */
export function closed(dialog: Locator): Promise<void> {
  return dialog.waitFor({ state: 'detached' })
}

/** Waits until the result is on the screen and the main thread is idle. */
export function drawn(page: Page): Promise<void> {
  return page.evaluate(async () => {
    await document.fonts.ready
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    await new Promise((resolve) => requestIdleCallback(resolve))
  })
}
