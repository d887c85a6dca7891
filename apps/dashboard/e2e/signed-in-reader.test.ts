import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { inputDevices } from './actions.ts'
import { violations } from './axe.ts'
import { change } from './seed.ts'
import { narrow, signIn, useBrowserSession, wide } from './session.ts'

// A customer on the public pages: they are the same for everybody, and their script knows that somebody is signed in.

const model = '/models/openai/gpt-4o'

describe.skipIf(!inject('hasBrowser'))('who is signed in', () => {
  const session = useBrowserSession(() => ({
    CELL_HOSTS: 'home=http://localhost,a1=https://a1.prices.example',
  }))
  const watchButton = (page: Page) => page.getByRole('main').getByRole('button', { name: /Watch/ })
  const pressed = (page: Page, is: boolean) =>
    watchButton(page)
      .and(page.locator(`[aria-pressed=${is}]`))
      .waitFor()
  const openStranger = async (path: string) => {
    const context = await session.browser.newContext({ baseURL: session.product.url, viewport: wide })
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.goto(path)
    return { page, asked }
  }

  test.each(inputDevices.map((device) => [device.name, device] as const))(
    'finds a model from the overview, watches it, and takes it off the list again, by %s',
    async (_name, { press, write }) => {
      const page = await session.open('/overview')
      const places = page.getByRole('navigation', { name: 'Dashboard' })
      await press(places.getByRole('link', { name: 'Models', exact: true }))
      await write(page.getByRole('searchbox'), 'gpt-4o')
      await page.waitForURL((url) => url.search === '?q=gpt-4o')
      await press(page.getByRole('link', { name: 'GPT-4o', exact: true }))
      await page.getByRole('heading', { level: 1, name: 'GPT-4o' }).waitFor()
      await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).waitFor()
      expect(await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).isVisible()).toBe(false)
      await press(watchButton(page))
      await pressed(page, true)
      await press(page.getByRole('link', { name: 'Your watch list' }))

      const row = page.getByRole('row', { name: /GPT-4o/ })
      await row.waitFor()
      expect(await row.innerText()).toMatch(/\$[\d.]+ \/ \$[\d.]+/)
      await press(row.getByRole('link', { name: 'GPT-4o', exact: true }))
      await page.waitForURL(`**${model}`)
      await pressed(page, true)
      await page.goto('/dashboard/watching')
      const answer = page.waitForResponse((response) => response.request().method() === 'PUT')
      await press(row.getByRole('button', { name: 'Stop watching openai/gpt-4o' }))
      await page.getByRole('heading', { name: 'Your watch list is empty' }).waitFor()
      expect((await answer).status()).toBe(200)
      await page.goto(model)
      await pressed(page, false)
      await page.context().close()
    },
  )

  test('reaches the calculator, a comparison and what their plan has of a change from the dashboard', async () => {
    const file = join(tmpdir(), `ratecard-change-read-${process.pid}.json`)
    await writeFile(file, JSON.stringify([change]))
    await session.product.ratecard('changes', 'publish', file)
    const page = await session.open('/overview')
    const places = page.getByRole('navigation', { name: 'Dashboard' })
    await places.getByRole('link', { name: 'Calculator', exact: true }).click()
    await page.getByLabel('Model').fill('gemini 2.5 pro')
    await page.getByRole('button', { name: 'Calculate' }).click()
    await page.getByRole('heading', { name: 'What Gemini 2.5 Pro costs a month' }).waitFor()
    const ofGoogle = page.getByRole('row', { name: /google:gemini-2\.5-pro/ })
    // 100 million in, 20 million out.
    expect(await ofGoogle.innerText()).toContain('$325')
    await page.getByLabel('Output, million tokens').fill('10')
    await expect.poll(() => ofGoogle.innerText()).toContain('$225')
    await page.goBack()
    await page.goBack()
    await places.getByRole('link', { name: 'Compare', exact: true }).click()
    await page.getByLabel('Model 1').fill('gpt-4o mini')
    await page.getByLabel('Model 2').fill('gemini 2.5 pro')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByRole('heading', { level: 1, name: 'GPT-4o Mini vs Gemini 2.5 Pro' }).waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).click()
    await places.getByRole('link', { name: 'Changes', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Changes' }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.getByRole('link', { name: 'GPT-4o mini costs more from December on' }).click()
    const moves = page.getByRole('region', { name: 'Before and after' })
    expect(await moves.innerText()).toMatch(/openai:gpt-4o-mini\s+Input\s+\$0\.15\s+\$0\.20/)
    await page.getByRole('region', { name: 'Alternatives' }).getByText('Gemini 2.5 Flash-Lite').waitFor()
    expect(asked.filter((path) => path.endsWith('/details'))).toHaveLength(1)
    expect(await violations(page)).toEqual([])
    await page.context().close()
  })

  test('what is typed before the calculator’s script has come counts', async () => {
    const { page } = await openStranger('/calculator')
    const script = Promise.withResolvers<void>()
    await page.route(/\/assets\/page\b/, async (route) => {
      await script.promise
      await route.continue()
    })
    await page.goto('/calculator?model=google/gemini-2.5-pro', { waitUntil: 'commit' })
    const ofGoogle = page.getByRole('row', { name: /google:gemini-2\.5-pro/ })
    await ofGoogle.waitFor()
    const before = await ofGoogle.innerText()
    await page.getByLabel('Output, million tokens').fill('123')
    script.resolve()
    await expect.poll(() => ofGoogle.innerText()).not.toBe(before)
    await page.context().close()
  })

  test('who was on the way to a page that is public now reaches it by signing in', async () => {
    const { page } = await openStranger('/dashboard/sign-in?next=/prices?product=openai/gpt-4o')
    const { email, password } = session.product.demo
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${session.product.url}${model}`)
    await page.context().close()
  })

  test('a stranger asks the server for nothing more, and is led to sign in and back', async () => {
    const { page, asked } = await openStranger(model)
    await page.waitForLoadState('networkidle')
    expect(asked.filter((path) => path.startsWith('/dashboard'))).toEqual([])
    expect(await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).isVisible()).toBe(false)
    await page.getByRole('link', { name: 'Watch', exact: true }).click()
    const { email, password } = session.product.demo
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`${session.product.url}${model}`)
    await pressed(page, false)
    await page.context().close()
  })

  test('a stranger with an account in another cell is led there, and back to the same page of that cell', async () => {
    const { page } = await openStranger(model)
    await page.getByRole('link', { name: 'Watch', exact: true }).click()
    await page.getByText('Is your account at another address?').click()
    const href = await page.getByRole('link', { name: 'a1.prices.example' }).getAttribute('href')
    expect(href).toBe(`https://a1.prices.example/dashboard/sign-in?next=${encodeURIComponent(model)}`)
    await page.context().close()
  })

  test('without a script the page offers to sign in', async () => {
    const context = await session.browser.newContext({
      baseURL: session.product.url,
      javaScriptEnabled: false,
    })
    const page = await context.newPage()
    await page.goto(model)
    const href = await page.getByRole('link', { name: 'Watch', exact: true }).getAttribute('href')
    expect(href).toBe(`/dashboard/sign-in?next=${encodeURIComponent(model)}`)
    expect(await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).isVisible()).toBe(true)
    expect(await page.getByRole('banner').getByRole('link', { name: 'Dashboard' }).isVisible()).toBe(false)
    await context.close()
  })

  test('a session that has ended leaves no mark, whether at a press or at once', async () => {
    const page = await (await session.browser.newContext({ baseURL: session.product.url })).newPage()
    await signIn(page, session.product.demo)
    await page.goto(model)
    await pressed(page, false)
    await page.context().clearCookies()
    await watchButton(page).click()
    await page.getByRole('link', { name: 'Watch', exact: true }).waitFor()
    await page.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor()
    expect(await page.evaluate(() => localStorage.getItem('ratecard.signed-in'))).toBeNull()
    await page.context().close()
    session.consoleErrors()
  })

  test('two windows tell each other that somebody signs in or out', async () => {
    const context = await session.browser.newContext({ baseURL: session.product.url, viewport: wide })
    const reader = await context.newPage()
    await reader.goto('/vendors/openai')
    await reader.getByRole('link', { name: 'Watch', exact: true }).waitFor()
    const other = await context.newPage()
    await signIn(other, session.product.demo)
    await pressed(reader, false)
    await watchButton(reader).click()
    await pressed(reader, true)
    await other.goto('/dashboard/watching')
    await other.getByRole('rowheader', { name: /OpenAI/ }).waitFor()
    await other.getByRole('button', { name: 'account menu' }).click()
    await other.getByRole('button', { name: 'Sign out' }).click()
    await reader.getByRole('link', { name: 'Watch', exact: true }).waitFor()
    await reader.getByRole('banner').getByRole('link', { name: 'Sign in' }).waitFor()
    await context.close()
  })

  test('a refusal is said beside the button, which stays as it was', async () => {
    const page = await session.open('/overview')
    await page.goto(model)
    await pressed(page, false)
    await page.route('**/dashboard/api/watches', (route) => route.abort())
    await watchButton(page).click()
    await page.getByRole('status').getByText('The server cannot be reached.').waitFor()
    await pressed(page, false)
    await page.context().close()
    session.consoleErrors()
  })

  test.each([model, '/vendors/openai'])(
    '%s: axe finds nothing, wide and narrow, light and dark',
    async (path) => {
      const page = await session.open('/overview')
      await page.goto(path)
      await watchButton(page).waitFor()
      for (const viewport of [wide, narrow]) {
        await page.setViewportSize(viewport)
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme })
          expect(await violations(page), `${viewport.width} px, ${colorScheme}`).toEqual([])
        }
      }
      await page.context().close()
    },
  )
})
