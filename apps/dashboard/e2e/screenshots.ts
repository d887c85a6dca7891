import { mkdir, rm } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { authorityFile } from '../../server/test/certificates.ts'
import { startReceiver } from '../../server/test/receiver.ts'
import { everyPage, pathOf } from './pages.ts'
import { seed, seededSettings } from './seed.ts'
import { drawn, narrow, startVisitor, wide } from './visitor.ts'

// Pictures of every page, wide and narrow, light and dark, into `screenshots/`, and the two of the README.
// Words after the command choose pages by name: `pnpm --filter @ratecard/dashboard screenshots keys usage`.

const folder = fileURLToPath(new URL('../screenshots/', import.meta.url))
const shown = fileURLToPath(new URL('../../../docs/images/', import.meta.url))
/** Pages in the README, and how they look there. */
const chosen: Record<string, 'light' | 'dark'> = { overview: 'light', prices: 'dark' }

const wanted = process.argv.slice(2)
const pages = everyPage.filter(({ name }) => wanted.length === 0 || wanted.includes(name))
const receiver = await startReceiver()
const visitor = await startVisitor(seededSettings(authorityFile))
try {
  const seeds = await seed(visitor.product, receiver)
  if (wanted.length === 0) await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  await mkdir(shown, { recursive: true })
  for (const page of pages) {
    const open = page.signedIn ? visitor.open : visitor.openSignedOut
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
  for (const complaint of visitor.complaints()) console.error(complaint)
} finally {
  await visitor.end()
  await receiver.close()
}
console.log(`${pages.length * 4} pictures are in ${folder}`)
