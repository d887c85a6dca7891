import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { startBrowserSession, type BrowserSession } from './session.ts'

describe.skipIf(!inject('hasBrowser'))('what fails', () => {
  let session: BrowserSession
  beforeAll(async () => {
    session = await startBrowserSession()
  })
  afterAll(() => session?.end())

  test('a page whose script is gone says so, and the way to others stays open', async () => {
    const page = await session.open('/keys')
    await page.route(/\/assets\/UsagePage-.*\.js$/, (route) => route.fulfill({ status: 404 }))
    // Else it loads itself again once the server answers.
    await page.route('**/health', (route) => route.abort())
    // What was fetched before is not asked for again.
    await page.reload()
    await page.getByRole('link', { name: 'Usage', exact: true }).click()
    await page.getByText('This could not be loaded').waitFor()
    await page.getByRole('link', { name: 'Requests', exact: true }).click()
    await page.getByRole('heading', { name: 'Requests', level: 1 }).waitFor()
    await page.context().close()
  })

  test('the chart says what was used on the day that is pointed at', async () => {
    // There is a chart once a request was counted.
    const { url, demo } = session.product
    const counted = await fetch(`${url}/v1/prices?limit=1`, {
      headers: { authorization: `Bearer ${demo.key}` },
    })
    expect(counted.status).toBe(200)
    await counted.arrayBuffer()
    const page = await session.open('/overview')
    const chart = page.getByRole('figure')
    await chart.locator('.chart-bar').last().hover()
    await chart.getByText(/^\d+ in all$/).waitFor()
    const bar = await chart.locator('.chart-bar [data-endpoint=prices]').last().boundingBox()
    expect(bar?.height).toBeGreaterThan(10)
    await page.context().close()
  })

  test('where nothing is sold, the overview does not lead to more packs', async () => {
    const page = await session.open('/overview')
    await page.getByRole('heading', { name: 'Packs' }).waitFor()
    expect(await page.getByRole('link', { name: 'Get more' }).count()).toBe(0)
    await page.context().close()
  })

  test('a server that does not answer is told of, and asked again', async () => {
    const page = await session.open('/overview')
    await page.route('**/dashboard/api/audit-log*', (route) => route.abort())
    // Else the page finds the server back by itself, and the button is gone.
    await page.route('**/health', (route) => route.abort())
    await page.goto('/dashboard/account/audit-log')
    await page.getByRole('alert').getByText('The server cannot be reached').waitFor()
    await page.unroute('**/dashboard/api/audit-log*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await page.context().close()
  })
})
