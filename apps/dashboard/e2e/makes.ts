import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { expect } from 'vitest'
import { findProgram, openChromium } from './browser.ts'

// Browsers of two makes, for readers with preferences of their own.

export interface Preferences {
  scheme?: 'light' | 'dark'
  hasForcedColours?: boolean
  hasScripts?: boolean
}

export interface Make {
  /** A window that has seen no page. */
  open: (preferences?: Preferences) => Promise<Page>
  /** Shows an open page as it is printed. */
  print: (page: Page) => Promise<void>
  close: () => Promise<void>
}

/** Starts each make. */
export const makes = { Chromium: startChromium, Firefox: startFirefox }

const firefox = findProgram(['firefox-esr', 'firefox'])
export const hasFirefox = firefox !== null

async function startChromium(): Promise<Make> {
  const browser = await openChromium()
  return {
    open: async ({ scheme = 'light', hasForcedColours = false, hasScripts = true } = {}) => {
      const page = await openWindow(browser)
      await page.setJavaScriptEnabled(hasScripts)
      await page.emulateMediaFeatures([
        { name: 'prefers-color-scheme', value: scheme },
        { name: 'forced-colors', value: hasForcedColours ? 'active' : 'none' },
      ])
      return page
    },
    print: (page) => page.emulateMediaType('print'),
    close: () => browser.close(),
  }
}

/** WebDriver BiDi has no words for what a reader prefers: such a Firefox is one of its own. */
function startFirefox(): Promise<Make> {
  const browsers = new Map<string, Promise<Browser>>()
  const make: Make = {
    open: async ({ scheme = 'light', hasForcedColours = false, hasScripts = true } = {}) => {
      const extraPrefsFirefox = {
        'layout.css.prefers-color-scheme.content-override': scheme === 'dark' ? 0 : 1,
        'browser.display.document_color_use': hasForcedColours ? 2 : 0,
        'javascript.enabled': hasScripts,
      }
      const key = JSON.stringify(extraPrefsFirefox)
      const browser =
        browsers.get(key) ??
        puppeteer.launch({
          browser: 'firefox',
          executablePath: firefox ?? '',
          headless: true,
          defaultViewport: null,
          extraPrefsFirefox,
        })
      browsers.set(key, browser)
      return openWindow(await browser)
    },
    // Nor has it one for the medium: the rules of print are made those of every medium.
    print: (page) =>
      page.evaluate(() => {
        for (const { cssRules } of document.styleSheets)
          for (const rule of cssRules)
            if (rule instanceof CSSMediaRule && rule.media.mediaText === 'print') rule.media.mediaText = 'all'
      }),
    close: async () => {
      for (const browser of browsers.values()) await (await browser).close()
    },
  }
  return Promise.resolve(make)
}

const openWindow = async (browser: Browser): Promise<Page> => (await browser.createBrowserContext()).newPage()

/** Firefox takes the width a moment later, and refuses the orientation that Puppeteer sends with it. */
export async function setWidth(page: Page, width: number): Promise<void> {
  await page.setViewport({ width, height: 800 }).catch((error: unknown) => {
    if (!String(error).includes('setScreenOrientationOverride')) throw error
  })
  await expect.poll(() => page.evaluate(() => innerWidth)).toBe(width)
}
