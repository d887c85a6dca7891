import { describe, expect, inject, test } from 'vitest'
import { Authenticator } from '../../server/test/support/authenticator.ts'
import { closed, useBrowserSession } from './session.ts'

describe.skipIf(!inject('hasBrowser'))('the second factor', () => {
  const session = useBrowserSession()

  test('is set up with an app, asked for at the next sign-in, and every session can be ended', async () => {
    const { email, password } = session.product.demo
    const page = await session.open('/account/sessions')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Set up' }).click()
    await dialog.getByLabel('Current password').fill(password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByRole('img', { name: 'QR code' }).waitFor()
    const app = new Authenticator(await dialog.locator('.secret').innerText())
    await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill(app.wrong())
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await dialog.getByText('The code is wrong').waitFor()
    await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill(await app.next())
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await closed(dialog)
    await page.getByText('Signing in requires a code').waitFor()

    await page.getByRole('button', { name: 'Sign out everywhere' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Your second factor' }).waitFor()
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill(await app.next())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByRole('button', { name: 'account menu' }).waitFor()

    await page.goto('/dashboard/account/sessions')
    await page.getByRole('button', { name: 'Remove' }).click()
    await dialog.getByLabel('Current password').fill(password)
    await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill(await app.next())
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await closed(dialog)
    await page.getByText('Require a code from your authenticator app').waitFor()

    await page.goto('/dashboard/account')
    await page.getByRole('button', { name: 'Delete the account' }).click()
    await dialog.getByLabel('Current password').fill(password)
    await dialog.getByRole('button', { name: 'Delete for good' }).click()
    await page.getByRole('heading', { name: 'You are a member of no account' }).waitFor()
    await page.getByLabel('Name of the account').fill('Anew')
    await page.getByRole('button', { name: 'Make an account' }).click()
    await page.getByRole('button', { name: /Anew\s*Free plan/ }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/dashboard/overview')
    await page.context().close()
  })
})
