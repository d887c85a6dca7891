import { existsSync } from 'node:fs'
import type { TestProject } from 'vitest/node'
import { openBrowser } from './browser.ts'
import { makeFirstStart } from './product.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Whether a Chromium starts on this machine; else every test is skipped. */
    hasBrowser: boolean
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  if (!existsSync(new URL('../dist/index.html', import.meta.url))) {
    throw new Error('The pages are not built: run "pnpm build" first.')
  }
  const browser = await openBrowser().catch((error: unknown) => {
    console.warn(`SKIPPED: ${error instanceof Error ? error.message : String(error)}`)
    return null
  })
  if (browser) console.log(`Chromium ${browser.version()}`)
  project.provide('hasBrowser', browser !== null)
  await browser?.close()
  return makeFirstStart()
}
