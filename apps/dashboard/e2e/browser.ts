import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import sparticuz from '@sparticuz/chromium'
import { chromium, type Browser } from 'playwright-core'
import puppeteer, { type Browser as PuppeteerBrowser } from 'puppeteer-core'

const chromiums = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Chromium has no sandbox under root. Nothing else is switched off: the tests cover what pages may do. */
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/** A real Chromium, driven by Playwright. */
export const openBrowser = (): Promise<Browser> =>
  startChromium((executablePath) => chromium.launch({ executablePath, args, headless: true }))

/** A real Chromium, driven by Puppeteer, which Lighthouse needs, and Firefox. */
export const openChromium = (): Promise<PuppeteerBrowser> =>
  startChromium((executablePath) =>
    puppeteer.launch({ executablePath, args, headless: 'shell', defaultViewport: null }),
  )

/**
 * The system's Chromium, or else the one that npm brings.
 * @throws Error that lists the attempts
 */
async function startChromium<Started>(start: (executablePath: string) => Promise<Started>): Promise<Started> {
  const failures: string[] = []
  for (const find of [() => Promise.resolve(findProgram(chromiums)), () => sparticuz.executablePath()]) {
    try {
      const executablePath = await find()
      if (executablePath) return await start(executablePath)
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(`No Chromium starts here: install one, or look at\n${failures.join('\n')}`)
}

/** The first of these programs that the system has. */
export function findProgram(names: readonly string[]): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter)
  const candidates = folders.flatMap((folder) => names.map((name) => join(folder, name)))
  return candidates.find(isProgram) ?? null
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
