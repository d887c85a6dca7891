import type { Locator, Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { focusedName, inputDevices } from './actions.ts'
import { closed, useBrowserSession } from './session.ts'

// The first needs of an API's user: a key that works, a count of its use, and a way to revoke it.

const withinMs = 1_000

describe.skipIf(!inject('hasBrowser'))('keys', () => {
  const session = useBrowserSession()

  /** Requests prices with a key, as a program does. */
  const use = async (key: string): Promise<number> => {
    const headers = { authorization: `Bearer ${key}` }
    const response = await fetch(`${session.product.url}/v1/prices?limit=1`, { headers })
    await response.arrayBuffer()
    return response.status
  }
  const rowOf = (page: Page, name: string): Locator =>
    page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: new RegExp(name) }) })
  const shownKey = async (page: Page): Promise<string> =>
    /rc_live_\w{36}/.exec(await page.getByRole('dialog').innerText())?.[0] ?? ''

  test.each(inputDevices.map((device) => [device.name, device] as const))(
    'are created, used, counted within a second, rotated and revoked by %s',
    async (handName, { press, write, choose }) => {
      const page = await session.open('/keys')
      const dialog = page.getByRole('dialog')
      const button = (name: string) => dialog.getByRole('button', { name, exact: true })
      const name = `Robot with a ${handName}`
      const create = page.getByRole('button', { name: 'Create a key' })

      await press(create)
      await page.keyboard.press('Escape')
      await closed(dialog)
      expect(await focusedName(page), 'who closes a dialog is where they were').toBe('Create a key')

      await press(create)
      await write(dialog.getByRole('textbox', { name: 'Name' }), name)
      await press(button('Create'))
      await button('Copy key').waitFor()
      const key = await shownKey(page)
      expect(key).not.toBe('')
      await press(button('Done'))
      await closed(dialog)
      expect(await focusedName(page)).toBe('Create a key')
      expect(await page.content(), 'a key is shown once').not.toContain(key)

      const shownAfterMs: number[] = []
      for (const count of [1, 2, 3]) {
        expect(await use(key)).toBe(200)
        const answeredAt = performance.now()
        // At each frame: a locator looks again after half a second.
        await page.waitForFunction(
          ([name, count]) =>
            [...document.querySelectorAll('tr')].some(
              (row) =>
                row.querySelector('th')?.textContent.includes(name) &&
                [...row.cells].some(({ textContent }) => textContent === count),
            ),
          [name, String(count)] as const,
        )
        shownAfterMs.push(performance.now() - answeredAt)
      }
      // A machine that stands still for a while says nothing of the page.
      expect(Math.min(...shownAfterMs)).toBeLessThan(withinMs)

      await press(rowOf(page, name).getByRole('button', { name: 'Rotate' }))
      await choose(dialog.getByRole('combobox'), '15 minutes')
      await press(button('Rotate'))
      await button('Copy key').waitFor()
      const next = await shownKey(page)
      await press(button('Done'))
      await closed(dialog)
      expect(next).not.toBe(key)
      expect([await use(key), await use(next)]).toEqual([200, 200])

      await press(page.getByRole('button', { name: `Revoke ${name} …${key.slice(-4)}` }))
      await press(button('Revoke'))
      await closed(dialog)
      await page.locator('summary', { hasText: 'Revoked keys' }).waitFor()
      expect([await use(key), await use(next)]).toEqual([401, 200])
      await page.context().close()
    },
  )

  test('are in no address, no storage and no log of the browser', async () => {
    const page = await session.open('/keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Secretive')
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('button', { name: 'Copy key' }).waitFor()
    const key = await shownKey(page)
    const kept = await page.evaluate(() =>
      JSON.stringify([
        location.href,
        history.state,
        { ...localStorage },
        { ...sessionStorage },
        document.cookie,
      ]),
    )
    expect(kept).not.toContain(key)
    expect(await page.evaluate(() => document.cookie), 'no script reads the session').toBe('')
    await page.reload()
    await page.getByRole('button', { name: 'Create a key' }).waitFor()
    expect(await page.content()).not.toContain(key)
    await page.context().close()
  })
})
