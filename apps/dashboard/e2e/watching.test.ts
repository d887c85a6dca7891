import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { loaded, narrow, useBrowserSession, wide } from './session.ts'

describe.skipIf(!inject('hasBrowser'))('the watch list', () => {
  const session = useBrowserSession()

  test('takes what is starred by keyboard, shows its price, and loses it by another press', async () => {
    const page = await session.open('/watching')
    await page.getByRole('heading', { name: 'Your watch list is empty' }).waitFor()
    await page.goto('/dashboard/prices?record=openai:gpt-4o')
    const star = page.getByRole('dialog').getByRole('button', { name: 'Watch openai/gpt-4o', exact: true })
    await star.and(page.locator('[aria-disabled="false"]')).waitFor()
    const answers = countAnswers(page)
    await star.focus()
    await page.keyboard.press('Space')
    await star.and(page.locator('[aria-pressed="true"]')).waitFor()
    const vendor = page.getByRole('dialog').getByRole('button', { name: 'Watch openai', exact: true })
    await vendor.click()
    await vendor.and(page.locator('[aria-pressed="true"]')).waitFor()

    // A page that is left takes with it what is not sent yet.
    await expect.poll(answers).toBe(2)
    await page.goto('/dashboard/watching')
    await page.getByRole('rowheader', { name: /GPT-4o/ }).waitFor()
    expect(await page.getByRole('row', { name: /GPT-4o/ }).innerText()).toMatch(/\$[\d.]+ \/ \$[\d.]+/)
    await page.getByRole('rowheader', { name: /OpenAI/ }).waitFor()
    await page.getByRole('button', { name: 'Watch openai/gpt-4o', exact: true }).click()
    await page.getByRole('rowheader', { name: /GPT-4o/ }).waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('rowheader', { name: /OpenAI/ }).waitFor()
    expect(await page.getByRole('rowheader').count()).toBe(1)
    await page.context().close()
  })

  test('of several quick presses has what the last one wanted', async () => {
    const page = await session.open('/prices?record=openai:gpt-4o-mini')
    const star = page
      .getByRole('dialog')
      .getByRole('button', { name: 'Watch openai/gpt-4o-mini', exact: true })
    await star.and(page.locator('[aria-disabled="false"]')).waitFor()
    const answers = countAnswers(page)
    await star.click({ clickCount: 3, delay: 5 })
    await expect.poll(answers).toBe(3)
    await star.and(page.locator('[aria-pressed="true"]')).waitFor()
    await page.goto('/dashboard/watching')
    await page.getByRole('rowheader', { name: /GPT-4o Mini/i }).waitFor()
    await page.context().close()
  })

  test('says when a star could not be kept, and takes it back', async () => {
    const page = await session.open('/prices?record=openai:gpt-4.1')
    await page.route('**/dashboard/api/watches', (route) =>
      route.request().method() === 'PUT' ? route.abort() : route.continue(),
    )
    const star = page.getByRole('dialog').getByRole('button', { name: 'Watch openai/gpt-4.1', exact: true })
    await star.and(page.locator('[aria-disabled="false"]')).waitFor()
    await star.click()
    await page.getByRole('status').getByText('The server cannot be reached').waitFor()
    await star.and(page.locator('[aria-pressed="false"]')).waitFor()
    await page.context().close()
    session.consoleErrors()
  })

  test('is starred from a change, its product and its vendor', async () => {
    const page = await session.open('/changes')
    await page.getByRole('list', { name: 'Changes' }).getByRole('link').first().click()
    const stars = page.getByRole('main').getByRole('button', { name: /^Watch / })
    await stars.first().waitFor()
    expect(await stars.count()).toBe(2)
    await page.context().close()
  })
})

describe.skipIf(!inject('hasBrowser'))('notifications', () => {
  const session = useBrowserSession()

  test('are switched by keyboard, at once, and say that the server cannot mail', async () => {
    for (const viewport of [wide, narrow]) {
      const page = await session.open('/notifications', { viewport })
      await page.getByRole('heading', { name: 'Email is not configured' }).waitFor()
      // A page that is left takes with it what is not sent yet.
      const stored = async (act: () => Promise<unknown>) => {
        const answer = page.waitForResponse((response) => response.request().method() === 'PATCH')
        await act()
        expect((await answer).status()).toBe(200)
      }
      const packs = page.getByRole('switch', { name: 'Packs' })
      const watchList = page.getByRole('switch', { name: 'Watch list' })
      expect(await packs.isChecked()).toBe(true)
      await packs.focus()
      await stored(() => page.keyboard.press('Space'))
      await stored(() => page.getByLabel('How soon').selectOption({ label: 'At once from severity 4 of 5' }))
      await page.reload()
      await loaded(page)
      expect(await packs.isChecked()).toBe(false)
      expect(await page.getByLabel('How soon').inputValue()).toBe('4')
      await stored(() => watchList.click())
      await page.getByLabel('How soon').waitFor({ state: 'detached' })
      await stored(() => packs.click())
      await stored(() => watchList.click())
      await stored(() => page.getByLabel('How soon').selectOption({ index: 0 }))
      await page.context().close()
    }
  })

  test('that the server refuses switch back, and say so', async () => {
    const page = await session.open('/notifications')
    await page.route('**/dashboard/api/notifications', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.continue(),
    )
    const quota = page.getByRole('switch', { name: 'Daily quota' })
    await quota.click()
    await page.getByRole('status').getByText('The server cannot be reached').waitFor()
    await expect.poll(() => quota.isChecked()).toBe(true)
    await page.context().close()
    session.consoleErrors()
  })
})

/** How many presses of stars the server has answered from now on. */
function countAnswers(page: Page): () => number {
  let answers = 0
  page.on('response', (response) => {
    if (response.request().method() === 'PUT') answers += 1
  })
  return () => answers
}
