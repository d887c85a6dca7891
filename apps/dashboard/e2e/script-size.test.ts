import { gzipSync } from 'node:zlib'
import { describe, expect, inject, test } from 'vitest'
import { loaded, useBrowserSession } from './session.ts'

const initialScriptBytesMax = 150_000

describe.skipIf(!inject('hasBrowser'))('the dashboard', () => {
  const session = useBrowserSession()

  test('no page waits for more than 150 KB of script, compressed', async () => {
    const page = await session.open('/')
    // What is fetched while nobody waits does not count.
    await page.addInitScript(() => (window.requestIdleCallback = () => 0))
    await page.reload()
    await loaded(page)
    const names = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map(({ name }) => name)
        .filter((name) => new URL(name).pathname.endsWith('.js')),
    )
    const sizes = await Promise.all(
      names.map(async (name) => gzipSync(Buffer.from(await (await fetch(name)).arrayBuffer())).length),
    )
    const bytes = sizes.reduce((sum, size) => sum + size, 0)
    console.log(`first page: ${bytes} bytes of script, compressed, in ${names.length} files`)
    expect(names.length).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(initialScriptBytesMax)
    await page.context().close()
  })
})
