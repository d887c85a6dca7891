/// <reference lib="dom" />
// `bench` compiles it, too, which knows no browser.

import type { Browser } from 'playwright-core'

// A first visit on a slow phone, in a real Chromium that is throttled by its own tools. `bench budgets` holds it against
// what the public pages may cost.

export interface FirstVisit {
  /** Sent by the server before the first content: the page, and what holds it up. */
  firstBytes: number
  /** Requests that the page's first content waits for, beside its own. */
  blocking: number
  totalBytes: number
  firstMs: number
  largestMs: number
  shift: number
}

const kb = 1_000
const phone = { width: 360, height: 740 }
const slowerCpu = 4
const network = { offline: false, latency: 150, downloadThroughput: 200 * kb, uploadThroughput: 94 * kb }
/** After the page is there: what comes late shifts it late. */
const settleMs = 1_500

/** Opens a page of the server in a browser that knows nothing of it. */
export async function visitFirst(browser: Browser, baseURL: string, path: string): Promise<FirstVisit> {
  const context = await browser.newContext({ baseURL, viewport: phone, deviceScaleFactor: 2 })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Network.enable')
  await devtools.send('Network.emulateNetworkConditions', network)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowerCpu })
  await page.addInitScript(() => {
    const seen = { largestMs: 0, shift: 0 }
    Object.assign(window, { seen })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) seen.largestMs = entry.startTime
    }).observe({ type: 'largest-contentful-paint', buffered: true })
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
        seen.shift += entry.value
    }).observe({ type: 'layout-shift', buffered: true })
  })
  await page.goto(path, { waitUntil: 'load' })
  await page.waitForTimeout(settleMs)
  const measured = await page.evaluate(() => {
    const { seen } = window as unknown as { seen: { largestMs: number; shift: number } }
    const [document] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const resources = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const sum = (entries: readonly PerformanceResourceTiming[]) =>
      entries.reduce((bytes, { transferSize }) => bytes + transferSize, 0)
    const blocking = resources.filter(
      (entry) => (entry as { renderBlockingStatus?: string }).renderBlockingStatus === 'blocking',
    )
    const [first] = performance.getEntriesByName('first-contentful-paint')
    return {
      ...seen,
      firstBytes: document!.transferSize + sum(blocking),
      blocking: blocking.length,
      totalBytes: document!.transferSize + sum(resources),
      firstMs: first?.startTime ?? NaN,
    }
  })
  await context.close()
  return measured
}
