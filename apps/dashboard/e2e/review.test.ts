import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { focusedName, inputDevices, walkWithTab } from './actions.ts'
import { violations } from './axe.ts'
import { operatorSettings, seedHolds } from './holds.ts'
import { closed, loaded, narrow, useBrowserSession } from './session.ts'

describe.skipIf(!inject('hasBrowser'))('the review of held prices', () => {
  const session = useBrowserSession(() => operatorSettings)
  let holds: Map<string, string>
  beforeAll(async () => {
    holds = await seedHolds(session.product)
  })

  const listed = (page: Page) => page.getByRole('table', { name: /^Price moves that wait/ })
  const rowOf = (page: Page, id: string) => listed(page).getByRole('row').filter({ hasText: id })
  const servedInput = (id: string) =>
    session.product.withDb(async (db) => {
      const row = await db
        .selectFrom('prices')
        .select('input_per_mtok')
        .where('resource_id', '=', id)
        .executeTakeFirst()
      return Number(row?.input_per_mtok)
    })

  test('lists what waits, with the change, the reason and the age; the navigation says how many', async () => {
    const page = await session.open('/review')
    await page.getByRole('link', { name: `Review ${holds.size} waiting` }).waitFor()
    const alpha = await rowOf(page, 'acme:alpha').innerText()
    expect(alpha).toContain('2.00 → 40.00')
    expect(alpha).toContain('× 20')
    expect(alpha).toContain('3 h')
    const old = rowOf(page, 'deepinfra:gpt-9')
    expect(await old.innerText()).toContain('far from peers')
    expect(await old.locator('.badge[data-tone=warn]').innerText()).toBe('5 days')
    expect(await page.getByRole('table', { name: /^Sources/ }).innerText()).toContain('models.dev')
    await page.context().close()
  })

  test('has the sources above it that are not taken in: why, since when, and what to do', async () => {
    const page = await session.open('/review')
    const text = await page.getByRole('region', { name: '2 sources are not taken in' }).innerText()
    expect(text).toMatch(/models\.dev refused since .*, in one run\. Served is what was taken in/)
    expect(text).toContain("This is not models.dev's api.json")
    expect(text).toContain('ratecard feed run models.dev --file PATH')
    expect(text).toMatch(/portkey unreachable since .* Nothing of it was taken in yet\./)
    await page.context().close()
  })

  test('has what readers say is wrong, beside what is served, until it is closed', async () => {
    await session.product.withDb((db) =>
      db
        .insertInto('price_reports')
        .values({
          id: 'report_1',
          resource_id: 'acme:alpha',
          should_be: '<b>$1</b>',
          source_url: 'https://acme.example/pricing',
          email: 'ann@example.com',
          times: 3,
        }) // prettier-ignore
        .execute(),
    )
    const page = await session.open('/review')
    await page.getByRole('link', { name: `Review ${holds.size + 1} waiting` }).waitFor()
    const table = page.getByRole('table', { name: /^Reports of readers/ })
    const text = await table.innerText()
    for (const part of ['Input $2.00', '<b>$1</b>', '3 times', 'by ann@example.com, unconfirmed'])
      expect(text).toContain(part)
    const link = table.getByRole('link', { name: 'https://acme.example/pricing' })
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer nofollow')
    expect(await violations(page)).toEqual([])
    await page.setViewportSize(narrow)
    // The page is laid out anew a moment after its window has changed.
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(narrow.width)
    await page.getByRole('button', { name: 'Close the report on acme:alpha' }).click()
    await table.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('shows the claims side by side, the median of peers, and links only where there is a page', async () => {
    const page = await session.open(`/review/${holds.get('deepinfra:gpt-9')}`)
    const claims = page.getByRole('table', { name: /^What is served and what every source says/ })
    const text = await claims.innerText()
    expect(text).toContain('Median of 4 other platforms')
    const link = claims.getByRole('link', { name: /^deepinfra\.com/ })
    expect(await link.getAttribute('target')).toBe('_blank')
    expect(await link.getAttribute('rel')).toContain('noopener')
    await page.getByText('What openai/gpt-9 costs on other platforms').click()
    await page.getByRole('rowheader', { name: 'azure' }).waitFor()

    await page.goto(`/dashboard/review/${holds.get('acme:epsilon')}`)
    await loaded(page)
    await page.getByText('models.dev', { exact: false }).first().waitFor()
    expect(await page.getByRole('main').innerText()).toContain('denied by others')

    await page.goto(`/dashboard/review/${holds.get('acme:beta')}`)
    await loaded(page)
    expect(await page.content()).not.toContain('javascript:')
    await page.context().close()
  })

  test.each(inputDevices.map((device) => [device.name, device] as const))(
    'is accepted and rejected by %s, with a reason and the password',
    async (name, { press, write, choose }) => {
      const isMouse = name === 'mouse'
      const [accepted, input] = isMouse ? (['acme:alpha', 40] as const) : (['acme:beta', 20] as const)
      const rejected = isMouse ? 'acme:gamma' : 'acme:delta'
      const page = await session.open('/review')
      const dialog = page.getByRole('dialog')
      const inDialog = (label: string) => dialog.getByRole('button', { name: label, exact: true })
      const password = dialog.getByLabel('Present password')

      // One, on its own page.
      await press(page.getByRole('link', { name: accepted, exact: true }))
      await press(page.getByRole('button', { name: 'Accept', exact: true }))
      await choose(dialog.getByLabel('How it is published'), 'As corrections: nobody is alerted')
      await write(password, 'not the right one')
      await press(inDialog('Accept'))
      await dialog.getByText('The present password is wrong.').waitFor()
      expect(await servedInput(accepted)).not.toBe(input)
      await write(password, session.product.demo.password)
      await press(inDialog('Accept'))
      await closed(dialog)
      await page.getByText(/^1 accepted\. 1 change is published/).waitFor()
      expect(await servedInput(accepted)).toBe(input)

      // One that is chosen in the list.
      await rowOf(page, accepted).waitFor({ state: 'detached' })
      const box = page.getByRole('checkbox', { name: `Choose ${rejected} of litellm` })
      if (isMouse) await box.check()
      else {
        await box.focus()
        await page.keyboard.press('Space')
      }
      await press(page.getByRole('button', { name: 'Reject', exact: true }))
      await write(dialog.getByLabel('Reason'), 'A slip')
      await write(password, session.product.demo.password)
      await press(inDialog('Reject'))
      await closed(dialog)
      await rowOf(page, rejected).waitFor({ state: 'detached' })
      expect(await focusedName(page)).toContain('the oldest for')
      expect(await servedInput(rejected)).not.toBe(input)
      await page.context().close()
    },
  )

  test(
    'axe finds nothing, nothing scrolls sideways, and Tab reaches everything',
    { timeout: 240_000 },
    async () => {
      // The program's own list has the longest id.
      const longest = [...holds.keys()].sort((a, b) => b.length - a.length)[0]!
      for (const path of [
        '/review',
        ...['deepinfra:gpt-9', longest].map((id) => `/review/${holds.get(id)}`),
      ]) {
        for (const width of [320, 640, 800, 1280]) {
          const page = await session.open(path, { viewport: { width, height: 800 } })
          for (const colorScheme of ['light', 'dark'] as const) {
            await page.emulateMedia({ colorScheme })
            expect(await violations(page), `${path}, ${width} px, ${colorScheme}`).toEqual([])
          }
          const sideways = await page.evaluate(
            () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
          )
          expect(sideways, `${path}: pixels beyond ${width}`).toBe(0)
          if (width === 1280) expect(await walkWithTab(page)).toEqual({ unreached: [], unseen: [] })
          await page.context().close()
        }
      }
    },
  )

  test('for another user there is no such page, and none in the navigation', async () => {
    const [email, password] = ['plain@customer.example', 'correct horse battery']
    const page = await session.openSignedOut('/sign-up')
    await page.getByRole('textbox', { name: 'E-mail address' }).fill(email)
    await page.getByRole('button', { name: 'Sign up', exact: true }).click()
    await page.goto(await session.product.linkTo(email))
    await page.getByRole('textbox', { name: 'Name' }).fill('Plain')
    await page.getByLabel('New password').fill(password)
    await page.getByRole('button', { name: 'Finish', exact: true }).click()
    await page.getByText('Welcome to Ratecard').waitFor()
    await page.getByRole('button', { name: 'account menu' }).waitFor()
    expect(await page.getByRole('navigation').innerText()).not.toContain('Review')
    await page.goto('/dashboard/review')
    await page.getByRole('heading', { name: 'There is no such page' }).waitFor()
    await page.context().close()
  })

  test('says that nothing waits, and how the sources stand', async () => {
    await session.product.withDb((db) =>
      db.updateTable('feed_holds').set({ state: 'withdrawn' }).where('state', '=', 'open').execute(),
    )
    const page = await session.open('/review')
    await page.getByRole('heading', { name: '2 sources are not taken in' }).waitFor()
    await page.getByRole('heading', { name: 'No price move waits' }).waitFor()
    await session.product.withDb((db) => db.updateTable('feed_runs').set({ outcome: 'applied' }).execute())
    await page.reload()
    await page.getByRole('heading', { name: 'Nothing waits' }).waitFor()
    expect(await page.getByRole('heading', { name: /not taken in/ }).count()).toBe(0)
    await page.getByRole('table', { name: /^Sources/ }).waitFor()
    await page.getByRole('link', { name: 'Review', exact: true }).waitFor()
    await page.context().close()
  })
})
