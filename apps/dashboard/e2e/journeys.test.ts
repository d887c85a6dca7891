import type { Locator, Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { useBrowserSession, wide } from './session.ts'

// How far a stranger has to go. What is typed is free; a press, a followed link and the link of a mail are a click each.

const clicksToRequest = 8
const clicksToPrice = 2

describe.skipIf(!inject('hasBrowser'))('a stranger', () => {
  const session = useBrowserSession(() => ({ LOG_LEVEL: 'info' }))
  const openHome = async () => {
    const context = await session.browser.newContext({
      baseURL: session.product.url,
      viewport: wide,
      locale: 'en-US',
    })
    const page = await context.newPage()
    await page.goto('/')
    return page
  }
  const counter = () => {
    const clicks: string[] = []
    return {
      clicks,
      click: async (target: Locator) => {
        clicks.push(String(target))
        await target.click()
      },
    }
  }

  test(`goes from / to a counted request in at most ${clicksToRequest} clicks`, async () => {
    const email = 'stranger@customer.example'
    const password = 'correct horse battery'
    const page = await openHome()
    const { clicks, click } = counter()
    await click(page.getByRole('banner').getByRole('link', { name: 'Sign up' }))
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(email)
    await page.keyboard.press('Enter')
    clicks.push('the link of the mail')
    await page.goto(await session.product.linkTo(email))
    await page.getByRole('textbox', { name: 'Name' }).fill('Stranger')
    await page.getByLabel('New password').fill(password)
    await page.keyboard.press('Enter')
    await signInWhereAsked(page, email, password)

    await click(page.getByRole('link', { name: 'Keys', exact: true }))
    await click(page.getByRole('button', { name: /^Create (the first|a) key$/ }).last())
    await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('First')
    await page.keyboard.press('Enter')
    await click(page.getByRole('button', { name: 'Copy key' }))
    const key = /rc_live_\w{36}/.exec(await page.getByRole('dialog').innerText())?.[0] ?? ''
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(`${session.product.url}/v1/prices?limit=1`, { headers })).status).toBe(200)
    await click(page.getByRole('button', { name: 'Done' }))
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: /First/ }) })
    await row.getByRole('cell', { name: '1', exact: true }).first().waitFor()
    console.log(`from / to a counted request: ${clicks.length} clicks`)
    expect(clicks.length, clicks.join('\n')).toBeLessThanOrEqual(clicksToRequest)
    await page.context().close()
  })

  test.each([
    ['gpt-4o mini', 'GPT-4o Mini', '$0.15'],
    ['gemini 2.5 pro', 'Gemini 2.5 Pro', '$1.25'],
  ])(`finds the price of %s in at most ${clicksToPrice} clicks`, async (typed, name, price) => {
    const page = await openHome()
    const { clicks, click } = counter()
    await page.getByLabel('Search for a model').fill(typed)
    await page.keyboard.press('Enter')
    // The price stands in the list already; its page has the rest.
    await page.getByRole('row').filter({ hasText: name }).filter({ hasText: price }).first().waitFor()
    await click(page.getByRole('link', { name, exact: true }).first())
    await page.getByRole('heading', { level: 1, name }).waitFor()
    expect(await page.locator('main').innerText()).toContain(price)
    expect(clicks.length).toBeLessThanOrEqual(clicksToPrice)
    await page.context().close()
  })
})

/** Who has finished signing up may be signed in already. */
async function signInWhereAsked(page: Page, email: string, password: string): Promise<void> {
  const form = page.getByRole('heading', { name: 'Sign in', level: 1 })
  const home = page.getByRole('link', { name: 'Keys', exact: true })
  await form.or(home).first().waitFor()
  if (!(await form.isVisible())) return
  await page.getByRole('textbox', { name: 'E-mail address' }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
}
