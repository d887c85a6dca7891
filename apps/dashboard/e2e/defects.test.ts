import { describe, expect, inject, test } from 'vitest'
import { loaded, useBrowserSession } from './session.ts'

// What users stumbled over on the first release, each with its number in that report.

describe.skipIf(!inject('hasBrowser'))('what users stumbled over', () => {
  const session = useBrowserSession()

  test('A3: a double click on Create makes one key, and shows it', async () => {
    const page = await session.open('/keys')
    const posts: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/dashboard/api/keys'))
        posts.push(request.url())
    })
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Pressed twice')
    const create = page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true })
    await create.evaluate((button: HTMLButtonElement) => {
      button.click()
      button.click()
    })
    await page.getByRole('button', { name: 'Copy key' }).waitFor()
    await page.getByRole('button', { name: 'Done' }).click()
    expect(posts).toHaveLength(1)
    expect(await page.getByRole('rowheader', { name: /Pressed twice/ }).count()).toBe(1)
    await page.context().close()
  })

  test('A10: a short password is a wrong one', async () => {
    const page = await session.openSignedOut('/sign-in')
    await page.getByLabel('E-mail').fill('nobody@customer.example')
    await page.getByLabel('Password', { exact: true }).fill('short')
    await page.getByRole('button', { name: 'Sign in' }).click()
    const alert = page.getByRole('alert').filter({ hasText: /./ })
    await alert.waitFor()
    expect(await alert.innerText()).not.toMatch(/characters/)
    await page.context().close()
  })

  test('B2: a long name of an account takes no room from the navigation', async () => {
    const page = await session.open('/account')
    const navigation = page.getByRole('navigation', { name: 'Dashboard' })
    const before = await navigation.boundingBox()
    await page
      .locator('.who-name bdi')
      .evaluate((name) => (name.textContent = 'Contoso Machine Learning GmbH '.repeat(3)))
    expect(await navigation.boundingBox()).toEqual(before)
    await page.context().close()
  })

  test('B9: who is left without a session is told so, and comes back to the page', async () => {
    const page = await session.openSignedOut('/sign-in')
    const { email, password } = session.product.demo
    const signIn = async () => {
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in' }).click()
    }
    await signIn()
    await page.getByRole('button', { name: 'account menu' }).waitFor()
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await loaded(page)
    await page.context().clearCookies()
    await page.getByText('Your session has ended').waitFor()
    await signIn()
    await page.waitForURL(/\/dashboard\/keys$/)
    await page.context().close()
  })

  test('W27: what was typed in a dialog waits while its writer signs in again, and nothing is shown meanwhile', async () => {
    const page = await session.openSignedOut('/sign-in')
    const { email, password } = session.product.demo
    const signIn = async () => {
      await page.getByLabel('E-mail').fill(email)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    }
    await signIn()
    await page.getByRole('link', { name: 'Keys', exact: true }).click()
    await loaded(page)
    await page.getByRole('button', { name: 'Create a key' }).click()
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('Typed before the session ended')
    await page.context().clearCookies()
    await page.getByText('Your session has ended').waitFor()
    expect(await name.isVisible()).toBe(false)
    expect(await page.getByRole('heading', { name: 'API keys' }).isVisible()).toBe(false)
    await signIn()
    await name.waitFor()
    expect(await name.inputValue()).toBe('Typed before the session ended')
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Copy key' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Done' }).click()
    await page.getByRole('rowheader', { name: /Typed before the session ended/ }).waitFor()

    // Who goes away instead leaves nothing behind.
    await page.getByRole('button', { name: 'Create a key' }).click()
    await name.fill('Never made')
    await page.context().clearCookies()
    await page.getByText('Your session has ended').waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).click()
    await page.waitForURL(/\/dashboard\/sign-in$/)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.context().close()
  })

  test('B11: after a key is revoked, the focus is on the page and not nowhere', async () => {
    const page = await session.open('/keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Short-lived')
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: /^Revoke Short-lived/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByRole('button', { name: /^Revoke Short-lived/ }).waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('main')
    await page.context().close()
  })

  test('B18: numbers are in the language of the words', async () => {
    const page = await session.open('/billing', { locale: 'de-DE' })
    expect(await page.getByText(/requests per key/).innerText()).toMatch(/^10,000 requests/)
    await page.context().close()
  })
})
