import type { Request } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { useSeededSession } from './seeded-session.ts'
import { wide } from './session.ts'

// What users stumbled over on the first release, where it needs an account with a past or is on the public pages.

describe.skipIf(!inject('hasBrowser'))('what users stumbled over', () => {
  const seeded = useSeededSession()
  const { session } = seeded
  const openPublic = async (path: string) => {
    const context = await session.browser.newContext({ baseURL: session.product.url, viewport: wide })
    const page = await context.newPage()
    await page.goto(path)
    return page
  }

  test('A1: from the home page one gets in, and from everywhere back', async () => {
    const page = await openPublic('/')
    const banner = page.getByRole('banner')
    for (const name of ['Sign up', 'Sign in']) {
      await banner.getByRole('link', { name, exact: true }).click()
      await page.getByRole('heading', { level: 1, name }).waitFor()
      await page.getByRole('link', { name: 'Ratecard' }).first().click()
      await page.waitForURL(`${session.product.url}/`)
    }
    for (const path of ['/plans', '/docs/', '/changes', '/status']) {
      await page.goto(path)
      expect(await banner.getByRole('link', { name: 'Sign up', exact: true }).isVisible(), path).toBe(true)
    }
    await page.context().close()
  })

  test('A2: what others pay stands beside the standard price: hours, and long requests', async () => {
    for (const [path, parts] of [
      ['/models/deepseek/deepseek-chat', [/\d\d:\d\d-\d\d:\d\d UTC/]],
      ['/models/google/gemini-2.5-pro', [/above 200,000 input tokens/, /\$2\.50/]],
    ] as const) {
      const page = await openPublic(path)
      const text = await page.locator('main').innerText()
      for (const part of parts) expect(text).toMatch(part)
      await page.context().close()
    }
  })

  test('A4: with 3,000 revoked keys the page is there, and a key can be revoked', async () => {
    const { account_id } = session.product.demo
    await session.product.withDb((db) =>
      db
        .insertInto('api_keys')
        .values(
          Array.from({ length: 3_000 }, (_, index) => ({
            id: `key_old_${index}`,
            account_id,
            name: `Old ${index}`,
            hash: Buffer.from(String(index).padStart(64, '0'), 'hex'),
            prefix: 'rc_live_',
            last_four: 'last',
            quota_subject: `key_old_${index}`,
            created_at: '2026-01-01T00:00:00Z',
            revoked_at: '2026-01-02T00:00:00Z',
          })),
        )
        .execute(),
    )
    const page = await session.open('/keys')
    const answers: number[] = []
    page.on('response', (response) => {
      if (response.url().includes('/dashboard/api/keys')) answers.push(response.status())
    })
    await page.getByRole('button', { name: 'Create a key' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Leaked')
    await page.getByRole('dialog').getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: /^Revoke Leaked/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByRole('button', { name: /^Revoke Leaked/ }).waitFor({ state: 'detached' })
    expect(answers.filter((status) => status >= 400)).toEqual([])
    await page.context().close()
  })

  test('A10: a name of spaces is refused in words', async () => {
    const page = await session.open('/keys')
    await page.getByRole('button', { name: 'Create a key' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).fill('   ')
    await dialog.getByRole('button', { name: 'Create', exact: true }).click()
    await expect
      .poll(async () => {
        const field = dialog.getByRole('textbox', { name: 'Name' })
        const said = await field.evaluate((input: HTMLInputElement) => input.validationMessage)
        return said || (await dialog.innerText())
      })
      .not.toMatch(/fewer than|must NOT/)
    expect(await dialog.getByRole('textbox', { name: 'Name' }).isVisible(), 'nothing was made').toBe(true)
    await page.context().close()
  })

  test('B8: "See the plans" leads to plans', async () => {
    const page = await session.open('/billing')
    const links = page.locator('a[href="/plans"]')
    expect(await links.count()).toBeGreaterThan(0)
    await links.first().click()
    await page.getByRole('heading', { level: 1, name: 'Plans' }).waitFor()
    await page.context().close()
  })

  test('B9: who is signed in and opens the sign-in page is led on', async () => {
    const context = await session.browser.newContext({
      baseURL: session.product.url,
      viewport: wide,
      storageState: await storedSession(),
    })
    const page = await context.newPage()
    await page.goto('/dashboard/sign-in')
    await page.waitForURL(/\/dashboard\/overview$/)
    await context.close()
  })

  test('B12: a quota that keys share is said to be shared, where it is shown', async () => {
    const page = await session.open('/overview')
    const shared = page.getByText(/keys that share it/)
    await shared.first().waitFor()
    await page.context().close()
  })

  test('B13: a test that fails promises nothing that a test does not do', async () => {
    seeded.receiver.behave('/good', (res) => res.writeHead(410).end())
    const page = await session.open(`/webhooks/${seeded.seeds.webhooks}`)
    await page.getByRole('button', { name: 'Send a test' }).click()
    const outcome = page.getByRole('status').filter({ hasText: 'Not delivered' })
    await outcome.waitFor()
    expect(await outcome.innerText()).not.toMatch(/switched off|tried again/)
    await page.getByRole('button', { name: 'Switch off' }).waitFor()
    await page.context().close()
  })

  test('B14: at the limit of keys no form is opened, and the way out is a link', async () => {
    const page = await session.open('/keys')
    const { account_id } = session.product.demo
    const text = await page.getByText(/of \d+ active keys/).innerText()
    const [, active = '0', max = '0'] = /(\d+) of (\d+) active keys/.exec(text) ?? []
    await session.product.withDb((db) =>
      db
        .insertInto('api_keys')
        .values(
          Array.from({ length: Number(max) - Number(active) }, (_, index) => ({
            id: `key_more_${index}`,
            account_id,
            name: `More ${index}`,
            hash: Buffer.from(`aa${String(index).padStart(62, '0')}`, 'hex'),
            prefix: 'rc_live_',
            last_four: 'more',
            quota_subject: `key_more_${index}`,
            created_at: '2026-01-01T00:00:00Z',
          })),
        )
        .execute(),
    )
    await page.getByText(`${max} of ${max} active keys`).waitFor()
    expect(await page.getByRole('button', { name: 'Create a key' }).isDisabled()).toBe(true)
    expect(await page.locator('main a[href="/plans"]').count()).toBe(1)
    await page.context().close()
  })

  test('B15: the key is in one variable, wherever it is named', async () => {
    const named = new Set<string>()
    const collect = (text: string) => {
      for (const [name] of text.matchAll(/RATECARD(?:_[A-Z]+)*_KEY/g)) named.add(name)
    }
    for (const path of ['/', '/docs/', '/models/openai/gpt-4o', '/plans']) {
      const page = await openPublic(path)
      collect(await page.content())
      await page.context().close()
    }
    expect([...named]).toEqual(['RATECARD_API_KEY'])
  })

  test('B16: a page that is left open asks less often', async () => {
    const page = await session.open('/usage')
    await page.clock.install()
    await page.reload()
    await page.getByRole('heading', { level: 1 }).waitFor()
    let asked = 0
    const open = new Set<Request>()
    page.on('request', (request) => {
      if (!request.url().includes('/dashboard/api/')) return
      asked += 1
      open.add(request)
    })
    const end = (request: Request) => void open.delete(request)
    page.on('requestfinished', end)
    page.on('requestfailed', end)
    const during = async (seconds: number) => {
      const before = asked
      for (let second = 0; second < seconds; second += 1) {
        await page.clock.runFor(1_000)
        // The answers come by the real clock.
        await page.waitForTimeout(200)
        await expect.poll(() => open.size).toBe(0)
      }
      return asked - before
    }
    const watched = await during(5)
    await page.clock.fastForward(70_000)
    await during(5)
    const left = await during(6)
    expect(watched).toBeGreaterThan(left)
    expect(left).toBeLessThanOrEqual(8)
    await page.context().close()
  })

  test.each(['/overview', '/usage', '/keys', '/requests'])(
    'W28: %s asks about once a second right after it is opened, and nothing twice',
    async (path) => {
      const page = await session.open(path)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.waitForTimeout(1_000)
      const asked: string[] = []
      page.on('request', (request) => {
        if (request.url().includes('/dashboard/api/')) asked.push(new URL(request.url()).pathname)
      })
      const fromMs = performance.now()
      await page.waitForTimeout(5_000)
      // At five seconds six.
      expect(asked.length).toBeLessThanOrEqual(1 + Math.floor((performance.now() - fromMs) / 900))
      expect(new Set(asked).size).toBeLessThanOrEqual(1)
      await page.context().close()
    },
  )

  async function storedSession() {
    const page = await session.open('/overview')
    const state = await page.context().storageState()
    await page.context().close()
    return state
  }
})
