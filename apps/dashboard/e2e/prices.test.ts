import { gzipSync } from 'node:zlib'
import type { CDPSession, Page } from 'playwright-core'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { priceRecord, storePrices } from '../../server/test/support/actors.ts'
import { drawn, useBrowserSession } from './session.ts'

const rowCount = 13_000
const filterMsMax = 100
// One frame of 60 a second is 16.7 ms. This browser paints without a graphics card, on processors that others use too: so
// the bound is a multiple of what it takes to scroll a page of plain rows, in the same round.
const frameMsMax = 51
const plainFramesMax = 3
const roundsMax = 10
const initialScriptBytesMax = 150_000

describe.skipIf(!inject('hasBrowser'))('with 13,000 prices', () => {
  const session = useBrowserSession()
  beforeAll(async () => {
    await session.product.withDb(async (db) => {
      const { count } = await db
        .selectFrom('prices')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      await storePrices(
        db,
        Array.from({ length: rowCount - count }, (_, index) => synthetic(index)),
      )
    })
  })

  test('a filter takes less than 100 ms of the main thread', async () => {
    const page = await session.open('/prices')
    // Those without a price are left out of the whole list.
    const whole = page.getByText(/^13,[\d,]+ records|^1\d,\d{3} of 13,\d{3} records/)
    await whole.waitFor()
    const tasks = await openTasks(page)
    const search = page.getByRole('searchbox', { name: 'Search' })
    const vendor = page.getByRole('combobox', { name: 'Vendor' })
    await search.focus()
    const took: Record<string, number> = {}
    const measure = async (name: string, act: () => Promise<unknown>) => {
      const startMs = await tasks()
      await act()
      await drawn(page)
      took[name] = Math.round((await tasks()) - startMs)
    }
    let typed = ''
    for (const letter of 'gpt-4') {
      typed += letter
      await measure(`search “${typed}”`, () => page.keyboard.press(letter))
    }
    await page.getByText(`of ${rowCount.toLocaleString('en')} records`).waitFor()
    await measure('search given up', () => search.fill(''))
    await measure('vendor chosen', () => vendor.selectOption('openai'))
    await measure('all vendors again', () => vendor.selectOption({ index: 0 }))
    console.log('main-thread time, ms:', took)
    expect(await whole.isVisible()).toBe(true)
    for (const [name, ms] of Object.entries(took)) expect(ms, name).toBeLessThan(filterMsMax)
    await page.context().close()
  })

  test('the table scrolls smoothly from its top to its end, and is never empty', async () => {
    const page = await session.open('/prices')
    await page.locator('[data-row="0"]').waitFor()
    const plain = await page.context().newPage()
    await plain.setContent(`<div class="price-body">${plainRow.repeat(800)}</div>`)
    // A busy machine is late now and then, a slow table in each round: the best round tells of the table.
    const rounds: Scrolling[] = []
    let isSmooth = false
    while (rounds.length < roundsMax && !isSmooth) {
      await plain.bringToFront()
      const { p95Ms: plainMs } = await plain.evaluate(scroll)
      await page.bringToFront()
      const round = await page.evaluate(scroll)
      rounds.push(round)
      isSmooth = round.p95Ms < Math.max(frameMsMax, plainFramesMax * plainMs)
      console.log('scrolling:', round, `plain rows: ${plainMs} ms`)
    }
    expect(isSmooth).toBe(true)
    for (const { rowsDrawn, empty } of rounds) {
      expect(rowsDrawn).toBeLessThan(100)
      expect(empty).toBe(0)
    }
    await page.context().close()
  })

  test('no page waits for more than 150 KB of script, compressed', async () => {
    const page = await session.open('/')
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

type Scrolling = Awaited<ReturnType<typeof scroll>>

const plainRow =
  '<div role="row" style="height:56px;border-bottom:1px solid">GPT-4o openai:gpt-4o OpenAI 2.50 10.00 1.25</div>'

/** Scrolls the page from top to end, in the browser: a step a frame. */
async function scroll() {
  const frameCount = 180
  const stepPx = 240
  const element = document.documentElement
  element.scrollTo(0, 0)
  const { left, top, width } = document.querySelector('.price-body')!.getBoundingClientRect()
  const [x, y] = [left + width / 4, (top + innerHeight) / 2]
  const frameMs: number[] = []
  let empty = 0
  let last = await new Promise<number>(requestAnimationFrame)
  for (let frame = 0; frame < frameCount; frame += 1) {
    // A steady flick, then jumps as of a dragged scroll bar.
    if (frame < frameCount - 20) element.scrollBy(0, stepPx)
    else element.scrollTo(0, (element.scrollHeight * (frame - frameCount + 21)) / 20)
    const now = await new Promise<number>(requestAnimationFrame)
    frameMs.push(now - last)
    last = now
    if (!document.elementFromPoint(x, y)?.closest('[role=row]')) empty += 1
  }
  frameMs.sort((a, b) => a - b)
  return {
    frames: frameMs.length,
    medianMs: frameMs[Math.floor(frameMs.length / 2)] ?? 0,
    p95Ms: frameMs[Math.floor(frameMs.length * 0.95)] ?? 0,
    slowestMs: frameMs.at(-1) ?? 0,
    empty,
    rowsDrawn: element.querySelectorAll('[role=row]').length,
  }
}

function synthetic(index: number) {
  const vendor = ['openai', 'anthropic', 'google', 'mistral', 'deepseek', 'qwen'][index % 6] ?? ''
  const platform = ['azure', 'bedrock', 'vertex', 'openrouter', 'together'][index % 5] ?? ''
  const model = `model-${Math.floor(index / 5)}`
  return priceRecord({
    resource_id: `${platform}:${vendor}/${model}-${index}`,
    product_id: `${vendor}/${model}`,
    vendor,
    platform,
    modality: index % 9 === 0 ? 'image' : 'llm',
    input_per_mtok: String((index % 400) / 100),
    output_per_mtok: String((index % 900) / 50),
  })
}

/**
 * Reads the busy time of a page's main thread, in milliseconds: scripts, style, layout and paint. It is the thread's
 * own time: other work of the machine does not count.
 */
async function openTasks(page: Page): Promise<() => Promise<number>> {
  const session: CDPSession = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
  }
}
