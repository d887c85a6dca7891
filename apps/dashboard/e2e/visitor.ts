import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { openBrowser } from './browser.ts'
import { startProduct, type Product } from './product.ts'

/** Somebody at a browser, signed in to a product of their own. */
export interface Visitor {
  product: Product
  browser: Browser
  /** Opens a page below `/dashboard` in a window of its own. */
  open: (path: string, options?: BrowserContextOptions) => Promise<Page>
  /** The same for who is not signed in. */
  openSignedOut: (path: string, options?: BrowserContextOptions) => Promise<Page>
  /** What pages complained of in the browser's console since the last call: errors, and what the policy refused. */
  complaints: () => string[]
  end: () => Promise<void>
}

export const wide = { width: 1280, height: 800 }
export const narrow = { width: 360, height: 740 }

/**
 * A visitor for the tests around, of whose pages none may complain.
 * @param settings of the product, read when what comes before is set up
 */
export function useVisitor(settings: () => Record<string, string> = () => ({})): Visitor {
  const visitor = {} as Visitor
  beforeAll(async () => {
    Object.assign(visitor, await startVisitor(settings()))
  })
  afterEach(() => {
    expect(visitor.complaints()).toEqual([])
  })
  afterAll(() => (visitor as Partial<Visitor>).end?.())
  return visitor
}

export async function startVisitor(settings: Record<string, string> = {}): Promise<Visitor> {
  const product = await startProduct(settings)
  const browser = await openBrowser()
  const seen: string[] = []
  const listen = (page: Page) => {
    page.on('console', (message) => {
      // A refusal by the server is an answer; the page says what it means.
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
    await settled(page)
    return page
  }
  return {
    product,
    browser,
    open: (path, options) => openWith(path, { storageState, ...options }),
    openSignedOut: (path, options = {}) => openWith(path, options),
    complaints: () => seen.splice(0),
    end: async () => {
      await browser.close()
      await product.stop()
    },
  }
}

/** Signs in as a person does, on the page that asks for it. */
export async function signIn(page: Page, { email, password }: Product['demo']): Promise<void> {
  await page.goto('/dashboard')
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
}

/** Waits until a page has its heading and no part of it is still loading. */
export async function settled(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(() => !document.querySelector('.skeleton, .usage-chart-place:empty'))
}

/** Waits until a dialog is gone. */
export function closed(dialog: Locator): Promise<void> {
  return dialog.waitFor({ state: 'detached' })
}

/** Waits until what was done is on the screen and the main thread has nothing left to do. */
export function drawn(page: Page): Promise<void> {
  return page.evaluate(async () => {
    await document.fonts.ready
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
    await new Promise((resolve) => requestIdleCallback(resolve))
  })
}
