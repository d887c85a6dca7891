import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import sparticuz from '@sparticuz/chromium'
import { chromium, type Browser } from 'playwright-core'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** Chromium has no sandbox under root. Nothing else is switched off: the tests cover what pages may do. */
const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []

/**
 * A real Chromium: the system's, or else the one that npm brings.
 * @throws Error that lists the attempts
 */
export async function openBrowser(): Promise<Browser> {
  const found = systemBrowser()
  const failures: string[] = []
  for (const find of [() => Promise.resolve(found), () => sparticuz.executablePath()]) {
    try {
      const executablePath = await find()
      if (executablePath) return await chromium.launch({ executablePath, args, headless: true })
    } catch (error) {
      failures.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(`No Chromium starts here: install one, or look at\n${failures.join('\n')}`)
}

function systemBrowser(): string | null {
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
