import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { inputDevices } from './actions.ts'
import { closed, useBrowserSession } from './session.ts'

// From a confirmed address to a counted request, and what the requests of a key look like afterwards.

describe.skipIf(!inject('hasBrowser'))('first steps', () => {
  const session = useBrowserSession()

  async function signUp(email: string): Promise<Page> {
    const page = await session.openSignedOut('/sign-up')
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(email)
    await page.getByRole('button', { name: 'Sign up', exact: true }).click()
    await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
    await page.goto(await session.product.linkTo(email))
    await page.getByRole('textbox', { name: 'Name' }).fill('Ada')
    await page.getByLabel('New password').fill('correct horse battery')
    await page.getByRole('button', { name: 'Finish', exact: true }).click()
    return page
  }

  test.each(inputDevices.map((device) => [device.name, device] as const))(
    'lead by %s from the mailed link to a counted request, and do not come back',
    async (name, { press }) => {
      const page = await signUp(`${name.replaceAll(' ', '-')}-first@customer.example`)
      await page.getByRole('heading', { name: 'Make your first request' }).waitFor()
      await press(page.getByRole('button', { name: 'Create a key' }))
      await page.getByText('Waiting for your first request').waitFor()
      const command = page.getByRole('tabpanel')
      await command.getByText(/rc_live_\w{36}/).waitFor()
      const key = /rc_live_\w{36}/.exec(await command.innerText())?.[0] ?? ''
      expect(key, 'the command has the key').not.toBe('')
      for (const language of ['TypeScript', 'Python', 'curl']) {
        await page.getByRole('tab', { name: language }).click()
        expect(await command.innerText()).toContain(key)
      }

      if (name === 'mouse') await press(page.getByRole('button', { name: 'Send it from here' }))
      else
        await (
          await fetch(`${session.product.url}/v1/prices?limit=1`, {
            headers: { authorization: `Bearer ${key}` },
          })
        ).text()
      await page.getByRole('heading', { name: 'You are set up' }).waitFor()
      await page.reload()
      await page.getByRole('heading', { name: 'You are set up' }).waitFor()
      expect(await page.content(), 'a key is shown once').not.toContain(key)
      await press(page.getByRole('button', { name: 'Done' }))
      await page.getByRole('heading', { name: 'You are set up' }).waitFor({ state: 'detached' })
      await page.reload()
      await page.getByRole('heading', { name: 'Today' }).waitFor()
      expect(await page.getByRole('heading', { name: 'You are set up' }).count()).toBe(0)
      await page.context().close()
    },
  )

  test('a request is in the log with what was refused, and the overview says so', async () => {
    const { url, demo } = session.product
    const ask = async (path: string) => {
      const response = await fetch(url + path, { headers: { authorization: `Bearer ${demo.key}` } })
      await response.arrayBuffer()
      return response.headers.get('x-request-id') ?? ''
    }
    const served = await ask('/v1/prices?limit=1')
    const refused = await ask('/v1/prices?vednor=openai')
    const page = await session.open('/overview')
    await page.getByText('Refused today').waitFor()
    await page.getByRole('link', { name: '1 (not valid)' }).click()
    await page.getByRole('button', { name: '/v1/prices?vednor=…' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.innerText()).toContain(refused)
    await page.keyboard.press('Escape')
    await closed(dialog)
    await page.getByLabel('Status').selectOption('served')
    await page.getByRole('button', { name: '/v1/prices?limit=1' }).first().click()
    expect(await dialog.innerText()).toContain(served)
    await page.context().close()
  })

  test('a key is made for some days and for prices only, and gets another end', async () => {
    const page = await session.open('/keys')
    const dialog = page.getByRole('dialog')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await dialog.getByRole('textbox', { name: 'Name' }).fill('Notebook')
    await dialog.getByLabel('Expires').selectOption({ label: '7 days' })
    await dialog.getByLabel('Scope').selectOption({ label: 'Prices only' })
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await dialog.getByRole('button', { name: 'Copy key' }).waitFor()
    const key = /rc_live_\w{36}/.exec(await dialog.innerText())?.[0] ?? ''
    await dialog.getByRole('button', { name: 'Done' }).click()
    const row = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: /Notebook/ }) })
    await row.getByText(/ends in [67] days/).waitFor()
    await row.getByText('Prices only').waitFor()
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(`${session.product.url}/v1/changes`, { headers })).status).toBe(403)
    await row.getByRole('button', { name: /^Expiry/ }).click()
    await dialog.getByLabel('Expires').selectOption({ label: '90 days' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await closed(dialog)
    await row.getByText(/^until /).waitFor()
    await page.context().close()
  })
})
