import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startFakeStripe, type FakeStripe } from '../../server/test/support/fake-stripe.ts'
import { inputDevices } from './actions.ts'
import { useBrowserSession } from './session.ts'

describe.skipIf(!inject('hasBrowser'))('billing', () => {
  let stripe: FakeStripe
  beforeAll(async () => {
    stripe = await startFakeStripe()
  })
  afterAll(() => stripe?.close())
  // Without a mail server, links are in the log.
  const session = useBrowserSession(
    () => ({ ...stripe.env, LOG_LEVEL: 'info' }),
    () => stripe.url,
  )
  beforeAll(() => stripe.sellFor(session.product.url))

  const byDevice = inputDevices.map((device) => [device.name, device] as const)

  test('the overview leads to more packs', async () => {
    const page = await session.open('/overview')
    await page.getByRole('link', { name: 'Get more' }).click()
    await page.getByRole('button', { name: 'Buy packs' }).waitFor()
    await page.context().close()
  })

  test.each(byDevice)('a pack is bought by %s, and is there', async (_name, { press, write }) => {
    const page = await session.open('/billing')
    const packs = page.getByRole('table', { name: 'Packs of this account' }).getByRole('row')
    const before = await packs.count()
    await write(page.getByRole('spinbutton', { name: 'How many' }), '2')
    await press(page.getByRole('button', { name: 'Buy packs' }))
    await page.getByRole('heading', { name: 'Checkout' }).waitFor()
    await press(page.getByRole('button', { name: 'Pay' }))
    await page.getByText('Thank you').waitFor()
    // A first row names the columns.
    expect(await packs.count()).toBe(Math.max(before, 1) + 1)
    expect(await packs.last().innerText()).toMatch(/100,000\s+100,000\s+live/)
    await page.context().close()
  })

  test.each(byDevice)('who gives up paying has bought nothing, by %s', async (_name, { press }) => {
    const page = await session.open('/billing')
    await press(page.getByRole('button', { name: 'Buy packs' }))
    await press(page.getByRole('link', { name: 'Back' }))
    await page.getByText('Nothing was bought.').waitFor()
    await page.context().close()
  })

  test.each(byDevice)('somebody signs up, confirms and subscribes by %s', async (name, { press, write }) => {
    const email = `${name.replaceAll(' ', '-')}@customer.example`
    const password = 'correct horse battery'
    const page = await session.openSignedOut('/sign-up')
    const button = (label: string) => page.getByRole('button', { name: label, exact: true })
    await write(page.getByRole('textbox', { name: 'E-mail address' }), email)
    await press(button('Sign up'))
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()

    await page.goto(await session.product.linkTo(email))
    await write(page.getByRole('textbox', { name: 'Name' }), 'Ada')
    await write(page.getByLabel('New password'), password)
    await press(button('Finish'))
    await page.getByText('Welcome to Ratecard').waitFor()
    await page.getByRole('button', { name: /Ada\s*Free plan/ }).waitFor()

    await press(page.getByRole('button', { name: 'account menu' }))
    await press(page.getByRole('navigation').getByRole('link', { name: 'Billing' }))
    await press(page.getByRole('button', { name: 'Subscribe to Developer' }))
    await press(page.getByRole('button', { name: 'Pay' }))
    await page.getByText('Thank you').waitFor()
    await page.getByRole('button', { name: /Ada\s*Developer plan/ }).waitFor()

    await press(page.getByRole('button', { name: 'account menu' }))
    await press(button('Sign out'))
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.goto('/dashboard/billing')
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.context().close()
  })
})
