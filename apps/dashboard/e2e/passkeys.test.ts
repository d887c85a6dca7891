import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { Authenticator } from '../../server/test/support/authenticator.ts'
import { closed, useBrowserSession } from './session.ts'

/** A device with a finger on it: Chromium's own, in software. */
async function plugIn(page: Page) {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    /** Whether it knows its user from now on. */
    verify: (isUserVerified: boolean) =>
      devtools.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified }),
    count: async () =>
      (await devtools.send('WebAuthn.getCredentials', { authenticatorId })).credentials.length,
  }
}

describe.skipIf(!inject('hasBrowser'))('passkeys', () => {
  const session = useBrowserSession()

  test('are added, sign in alone and in place of a code, and are removed', async () => {
    const { email, password } = session.product.demo
    const page = await session.open('/account/sessions')
    const device = await plugIn(page)
    const dialog = page.getByRole('dialog')
    const add = page.getByRole('button', { name: 'Add a passkey' })
    const table = page.getByRole('table', { name: 'Your passkeys' })

    await add.click()
    await dialog.getByLabel('Name').fill('My phone')
    await dialog.getByLabel('Current password').fill('not the password')
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('The present password is wrong.').waitFor()
    expect(await device.count()).toBe(0)
    await dialog.getByLabel('Current password').fill(password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await closed(dialog)
    await table.getByRole('rowheader', { name: 'My phone' }).waitFor()
    expect(await device.count()).toBe(1)

    // The device makes no second one for the same user.
    await add.click()
    await dialog.getByLabel('Current password').fill(password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    await dialog.getByText('This device has a passkey of yours already.').waitFor()
    await page.keyboard.press('Escape')
    await closed(dialog)

    await table.getByRole('button', { name: 'Rename My phone' }).click()
    await dialog.getByLabel('Name').fill('Old phone')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await closed(dialog)
    await table.getByRole('rowheader', { name: 'Old phone' }).waitFor()

    // With a second factor too, the passkey alone is enough.
    await page.getByRole('button', { name: 'Set up' }).click()
    await dialog.getByLabel('Current password').fill(password)
    await dialog.getByRole('button', { name: 'Continue' }).click()
    const app = new Authenticator(await dialog.locator('.secret').innerText())
    await dialog.getByRole('textbox', { name: 'Code', exact: true }).fill(await app.next())
    await dialog.getByRole('button', { name: 'Turn on' }).click()
    await closed(dialog)
    const leave = async () => {
      await page.goto('/dashboard/account/sessions')
      await page.getByRole('button', { name: 'Sign out everywhere' }).click()
      await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    }
    const passkey = page.getByRole('button', { name: 'Use a passkey' })
    const signedIn = page.getByRole('button', { name: 'account menu' })
    await leave()
    await device.verify(false)
    await passkey.click()
    await page.getByText('No passkey was used.').waitFor()
    await device.verify(true)
    await passkey.click()
    await signedIn.waitFor()

    await leave()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Your second factor' }).waitFor()
    await passkey.click()
    await signedIn.waitFor()

    await page.goto('/dashboard/account/sessions')
    await table.getByRole('button', { name: 'Remove Old phone' }).click()
    await dialog.getByLabel('Current password').fill(password)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await closed(dialog)
    await table.waitFor({ state: 'detached' })
    await leave()
    await passkey.click()
    await page.getByText('This passkey was not accepted').waitFor()
    await page.context().close()
  })
})
