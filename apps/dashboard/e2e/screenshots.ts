import { mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { authorityFile } from '../../server/test/support/certificates.ts'
import { startReceiver } from '../../server/test/support/receiver.ts'
import { everyPage, pathOf } from './pages.ts'
import { seed, seededSettings } from './seed.ts'
import { drawn, narrow, startBrowserSession, wide } from './session.ts'

// Screenshots of every page, wide and narrow, light and dark, into `screenshots/`, and the two of the README.
// Arguments choose pages by name: `pnpm --filter @ratecard/dashboard screenshots keys usage`.

const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))
const shown = fileURLToPath(new URL('../../../docs/images/', import.meta.url))
/** Pages in the README, and their variants there. */
const chosen: Record<string, 'light' | 'dark'> = { overview: 'light', prices: 'dark' }

const wanted = process.argv.slice(2)
const pages = everyPage.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const receiver = await startReceiver()
const session = await startBrowserSession(seededSettings(authorityFile))
try {
  const seeds = await seed(session.product, receiver)
  if (wanted.length === 0) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await mkdir(shown, { recursive: true })
  for (const page of pages) {
    const open = page.signedIn ? session.open : session.openSignedOut
    for (const [width, viewport] of Object.entries({ wide, narrow })) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const opened = await open(pathOf(page, seeds), { viewport, colorScheme })
        await drawn(opened)
        await opened.screenshot({ path: `${folder}${page.name}-${width}-${colorScheme}.png`, fullPage: true })
        if (width === 'wide' && chosen[page.name] === colorScheme) {
          await opened.screenshot({ path: `${shown}dashboard-${page.name}.png` })
        }
        await opened.context().close()
      }
    }
    console.log(page.name)
  }
  for (const error of session.consoleErrors()) console.error(error)
} finally {
  await session.end()
  await receiver.close()
}
console.log(`${pages.length * 4} pictures are in ${folder}`)
