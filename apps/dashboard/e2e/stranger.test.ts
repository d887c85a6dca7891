import { afterAll, describe, expect, inject, test } from 'vitest'
import { openMailbox } from '../../server/test/support/mailbox.ts'
import { useBrowserSession, wide } from './session.ts'

// What somebody does who has heard of this site: from a price to a comparison, to the file, to mails of changes, to a key.

const mailbox = await openMailbox()
afterAll(() => mailbox.close())

/** The link in the newest mail to this address. */
async function linkTo(email: string): Promise<string> {
  await expect.poll(() => mailbox.mails.some(({ to }) => to === email), { timeout: 30_000 }).toBe(true)
  const { text } = mailbox.mails.findLast(({ to }) => to === email)!
  return /http:\/\/localhost:\d+\/\S+?(?=[\s>"])/.exec(text)?.[0] ?? ''
}

describe.skipIf(!inject('hasBrowser'))('a stranger', () => {
  const session = useBrowserSession(() => ({
    SMTP_URL: mailbox.url,
    MAIL_FROM: 'Ratecard <no-reply@localhost>',
  }))

  test('goes from the first page to a price, a comparison, the file, mails of changes and a key', async () => {
    const context = await session.browser.newContext({ baseURL: session.product.url, viewport: wide })
    const page = await context.newPage()

    await page.goto('/')
    await page.getByLabel('Search for a model').fill('gemini2.5 pro')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('link', { name: 'Gemini 2.5 Pro', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Gemini 2.5 Pro' }).waitFor()
    expect(await page.locator('main').innerText()).toContain('$1.25')

    await page.getByText('This price is wrong').click()
    await page.locator('select[name=price]').selectOption({ index: 0 })
    await page.getByLabel('What it should be').fill('$1.20 in')
    await page.getByLabel("The vendor's page").fill('ftp://ai.google.dev/pricing')
    await page.getByRole('button', { name: 'Report' }).click()
    await page.getByText('must begin with https://').waitFor()
    await page.getByLabel("The vendor's page").fill('https://ai.google.dev/pricing')
    await page.getByRole('button', { name: 'Report' }).click()
    await page.getByRole('heading', { name: 'Thank you' }).waitFor()
    const reports = await session.product.ratecard('feed', 'review', 'reports')
    expect(reports).toMatch(/\$1\.20 in +https:\/\/ai\.google\.dev\/pricing/)
    await page.getByRole('link', { name: 'Back to Gemini 2.5 Pro' }).click()

    await page.getByRole('navigation').getByRole('link', { name: 'Models', exact: true }).click()
    await page.getByRole('searchbox').fill('gpt-4o mini')
    await page.getByRole('checkbox', { name: 'Compare GPT-4o Mini', exact: true }).check()
    await page.getByRole('searchbox').fill('gemini 2.5 pro')
    await page.getByRole('checkbox', { name: 'Compare Gemini 2.5 Pro', exact: true }).check()
    await page.getByRole('button', { name: 'Compare 2 of 4' }).click()
    await page.getByRole('heading', { level: 1, name: 'GPT-4o Mini vs Gemini 2.5 Pro' }).waitFor()

    await page.getByRole('navigation').getByRole('link', { name: 'Data', exact: true }).click()
    const href = await page.getByRole('link', { name: 'litellm.json', exact: true }).getAttribute('href')
    const answer = await fetch(new URL(href!, session.product.url), {
      headers: { 'accept-encoding': 'gzip' },
    })
    expect(answer.status).toBe(200)
    expect(Object.keys((await answer.json()) as object).length).toBeGreaterThan(500)

    await page.getByRole('navigation').getByRole('link', { name: 'Changes', exact: true }).click()
    await page.getByLabel('by email').fill('stranger@customer.example')
    await page.getByRole('button', { name: 'Follow' }).click()
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
    await page.goto(await linkTo('stranger@customer.example'))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByRole('heading', { name: 'You follow' }).waitFor()

    mailbox.mails.length = 0
    await page.getByRole('link', { name: 'Sign up', exact: true }).click()
    await page.getByRole('textbox', { name: 'E-mail address' }).fill('stranger@customer.example')
    await page.getByRole('button', { name: 'Sign up', exact: true }).click()
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
    await page.goto(await linkTo('stranger@customer.example'))
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada')
    await page.getByLabel('New password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Finish', exact: true }).click()
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByText('Waiting for your first request').waitFor()
    await page
      .getByRole('tabpanel')
      .getByText(/rc_live_\w{36}/)
      .waitFor()
    const key = /rc_live_\w{36}/.exec(await page.getByRole('tabpanel').innerText())?.[0] ?? ''
    const served = await fetch(`${session.product.url}/v1/prices?limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(served.status).toBe(200)
    await context.close()
  })
})
