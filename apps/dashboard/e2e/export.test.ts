import { readFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import { violations } from './axe.ts'
import { inputDevices } from './actions.ts'
import { narrow, useBrowserSession, wide } from './session.ts'

describe.skipIf(!inject('hasBrowser'))('exporting prices', () => {
  const session = useBrowserSession()
  const saved = async (page: Page, press: () => Promise<void>) => {
    const [download] = await Promise.all([page.waitForEvent('download'), press()])
    return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') }
  }

  test.each(inputDevices.map((device) => [device.name, device] as const))(
    'what is shown, and all of it, by %s',
    async (_name, { press }) => {
      const page = await session.open('/prices?search=gpt-4o-mini')
      await press(page.getByRole('button', { name: 'Export', exact: true }))
      const button = (name: string) => page.getByRole('dialog').getByRole('button', { name, exact: true })

      const csv = await saved(page, () => press(button('These as CSV')))
      expect(csv.name).toBe('prices.csv')
      const [head, ...rows] = csv.text.trimEnd().split('\r\n')
      expect(head).toMatch(/^resource_id,/)
      expect(rows.some((row) => row.startsWith('openai:gpt-4o-mini,openai/gpt-4o-mini,'))).toBe(true)
      const list = await saved(page, () => press(button('These as JSON')))
      expect(JSON.parse(list.text)).toHaveLength(rows.length)

      const all = await saved(page, () => press(button('JSON Lines')))
      expect(all.name).toBe('ratecard-prices.jsonl')
      const [header = ''] = all.text.split('\n', 1)
      expect(JSON.parse(header)).toMatchObject({ format: 'ratecard-snapshot' })
      await page.context().close()
    },
  )

  test('a file that cannot be had is told of in the dialog', async () => {
    const page = await session.open('/prices')
    await page.route('**/dashboard/api/price-file*', (route) => route.abort())
    await page.getByRole('button', { name: 'Export', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'SQLite', exact: true }).click()
    await page.getByRole('dialog').getByRole('alert').getByText('The server cannot be reached').waitFor()
    session.consoleErrors()
    await page.context().close()
  })

  test('axe finds nothing in its dialog, wide and narrow, light and dark', async () => {
    for (const viewport of [wide, narrow]) {
      const page = await session.open('/prices', { viewport })
      await page.getByRole('button', { name: 'Export', exact: true }).click()
      await page.getByRole('button', { name: 'These as CSV' }).waitFor()
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme })
        expect(await violations(page), `${viewport.width} px, ${colorScheme}`).toEqual([])
        if (process.env.SHOTS)
          await page.screenshot({ path: `/tmp/export-${viewport.width}-${colorScheme}.png` })
      }
      await page.context().close()
    }
  })
})
