import { mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { authorityFile } from '../../server/test/support/certificates.ts'
import { startReceiver } from '../../server/test/support/receiver.ts'
import { everyPage, pathOf } from './pages.ts'
import { seed, seededSettings } from './seed.ts'
import { drawn, narrow, startBrowserSession, wide } from './session.ts'

// Screenshots of every page, wide and narrow, light and dark, into `screenshots/`, and those of the README.
// Arguments choose pages by name: `pnpm --filter @ratecard/dashboard screenshots keys usage`.

const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))
const shown = fileURLToPath(new URL('../../../docs/images/', import.meta.url))

/** What a stranger sees. */
const publicPages: Record<string, string> = {
  'public-home': '/',
  'public-models': '/models?q=claude+sonnet',
  'public-model': '/models/google/gemini-2.5-pro',
  'public-compare': '/compare?models=openai/gpt-4o,google/gemini-2.5-pro,deepseek/deepseek-chat',
  'public-calculator': '/calculator?model=openai/gpt-4o&in=100&out=20',
  'public-changes': '/changes',
  'public-plans': '/plans',
  'public-status': '/status',
  'public-reference': '/docs/',
}
/** Of a taller page, such as the one with all prices, its first screen. */
const heightPxMax = 6_000
/** Pages in the README and the documents, and their variants there. */
const chosen: Record<string, 'light' | 'dark'> = {
  overview: 'light',
  'public-models': 'dark',
  'public-changes': 'light',
  keys: 'dark',
  'webhooks-id': 'light',
  'public-home': 'light',
  'public-model': 'dark',
  'public-plans': 'light',
}

const wanted = process.argv.slice(2)
const isWanted = (name: string) => wanted.length === 0 || wanted.includes(name)
const receiver = await startReceiver()
const session = await startBrowserSession(seededSettings(authorityFile))
type Options = Parameters<typeof session.open>[1]

async function openPublic(path: string, options: Options): Promise<Page> {
  const context = await session.browser.newContext({ baseURL: session.product.url, ...options })
  const page = await context.newPage()
  // Its typeface is used from the second page on.
  await page.goto(path)
  await page.goto(path)
  return page
}

async function take(name: string, open: (options: Options) => Promise<Page>): Promise<void> {
  for (const [width, viewport] of Object.entries({ wide, narrow })) {
    for (const colorScheme of ['light', 'dark'] as const) {
      const opened = await open({ viewport, colorScheme })
      await drawn(opened)
      const path = `${folder}${name}-${width}-${colorScheme}.png`
      const heightPx = await opened.evaluate(() => document.documentElement.scrollHeight)
      await opened.screenshot({ path, fullPage: heightPx <= heightPxMax })
      if (width === 'wide' && chosen[name] === colorScheme) {
        await opened.screenshot({ path: `${shown}${name}.png` })
      }
      await opened.context().close()
    }
  }
  console.log(name)
}

try {
  const seeds = await seed(session.product, receiver)
  if (wanted.length === 0) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await mkdir(shown, { recursive: true })
  for (const page of everyPage.filter(({ name }) => isWanted(name))) {
    const open = page.signedIn ? session.open : session.openSignedOut
    await take(page.name, (options) => open(pathOf(page, seeds), options))
  }
  for (const [name, path] of Object.entries(publicPages).filter(([one]) => isWanted(one))) {
    await take(name, (options) => openPublic(path, options))
  }
  for (const error of session.consoleErrors()) console.error(error)
} finally {
  await session.end()
  await receiver.close()
}
console.log(`The pictures are in ${folder}`)
