import { describe, expect, inject, test } from 'vitest'
import { focusedName, inputDevices } from './actions.ts'
import { closed, loaded, signIn, useBrowserSession } from './session.ts'

describe.skipIf(!inject('hasBrowser'))('the account', () => {
  const session = useBrowserSession()

  const byDevice = inputDevices.map((device) => [device.name, device] as const)
  const nextLink = (email: string) => session.product.linkTo(email)

  test.each(byDevice)(
    'somebody is invited, and not any more, by %s',
    async (name, { press, write, choose }) => {
      const email = `${name.replaceAll(' ', '-')}@customer.example`
      const page = await session.open('/account/members')
      const dialog = page.getByRole('dialog')
      const invite = page.getByRole('button', { name: 'Invite member' })
      await press(invite)
      await write(dialog.getByRole('textbox', { name: 'E-mail address' }), email)
      await choose(dialog.getByRole('combobox', { name: 'Role' }), 'Owner: billing and members too')
      await press(dialog.getByRole('button', { name: 'Invite', exact: true }))
      await closed(dialog)
      expect(await focusedName(page)).toBe('Invite member')
      const row = page.getByRole('row').filter({ hasText: email })
      await row.getByRole('cell', { name: 'owner' }).waitFor()
      await press(row.getByRole('button', { name: /^Revoke/ }))
      await row.waitFor({ state: 'detached' })
      await page.goto('/dashboard/account/audit-log')
      await loaded(page)
      expect(await page.getByRole('main').innerText()).toContain(email)
      await page.context().close()
    },
  )

  test('who is invited and signs up first is led on to the invitation', async () => {
    const email = 'newcomer@customer.example'
    const password = 'correct horse battery'
    const owner = await session.open('/account/members')
    await owner.getByRole('button', { name: 'Invite member' }).click()
    await owner.getByRole('dialog').getByRole('textbox', { name: 'E-mail address' }).fill(email)
    await owner.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click()
    await closed(owner.getByRole('dialog'))
    await owner.context().close()

    const page = await session.openSignedOut('')
    await page.goto(await nextLink(email))
    const named = /invites you to join .+ as a member\.$/
    await page.getByText(named).waitFor()
    await page.getByRole('link', { name: 'Sign up' }).click()
    await page.getByText(named).waitFor()
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(email)
    await page.getByRole('button', { name: 'Sign up', exact: true }).click()
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()

    // The link of a mail opens in a window of its own.
    const mail = await page.context().newPage()
    const link = await nextLink(email)
    await mail.goto(link)
    await mail.getByRole('textbox', { name: 'Name' }).fill('Newcomer')
    await mail.getByLabel('New password').fill(password)
    await mail.getByRole('button', { name: 'Finish', exact: true }).click()
    await mail.getByText(named).waitFor()
    await mail.getByRole('button', { name: 'Accept the invitation' }).click()
    await mail.getByText(/^You are a member of/).waitFor()

    // What this window shows is not what another one has chosen since: nothing is done, and it says why.
    await mail.goto('/dashboard/keys')
    await mail.getByRole('button', { name: 'Create a key' }).click()
    await mail.getByRole('textbox', { name: 'Name' }).fill('For whom')
    const told = mail
      .getByText(/^Nothing was done: you have switched to another account/)
      .first()
      .waitFor()
    await page.goto('/dashboard/overview')
    await page.getByRole('button', { name: 'account menu' }).click()
    await page.getByRole('group', { name: 'Accounts' }).getByRole('button', { pressed: false }).click()
    await page.getByRole('button', { name: /Newcomer.*\s*Free plan/ }).waitFor()
    // The page may have asked for its list before, and closed the dialog.
    const create = mail.getByRole('dialog').getByRole('button', { name: 'Create', exact: true })
    await create.click({ timeout: 2_000 }).catch(() => undefined)
    await told
    await closed(mail.getByRole('dialog'))
    await mail.getByRole('button', { name: /Newcomer.*\s*Free plan/ }).waitFor()
    expect(await mail.getByRole('main').innerText()).not.toContain('For whom')
    await page.context().close()

    // Once more: that it is used up is said before anybody types.
    const late = await session.openSignedOut('')
    await late.goto(link)
    await late.getByText('This link does not work any more.').waitFor()
    expect(await late.getByLabel('New password').count()).toBe(0)
    await late.context().close()
    session.consoleErrors()
  })

  test.each(byDevice)('another session is ended by %s, and is over at once', async (_name, { press }) => {
    const elsewhere = await (await session.browser.newContext({ baseURL: session.product.url })).newPage()
    await signIn(elsewhere, session.product.demo)
    const page = await session.open('/account/sessions')
    const rows = page.getByRole('table', { name: 'Where you are signed in' }).getByRole('row')
    const before = await rows.count()
    await press(rows.getByRole('button', { name: 'Revoke' }).last())
    await page.waitForFunction((count) => document.querySelectorAll('main tr').length < count, before)
    await elsewhere.goto('/dashboard/keys')
    await elsewhere.getByRole('heading', { name: 'Sign in' }).waitFor()
    await elsewhere.context().close()
    await page.context().close()
  })
})
