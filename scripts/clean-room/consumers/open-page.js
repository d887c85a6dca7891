import chromium from '@sparticuz/chromium'
import { chromium as browserType } from 'playwright-core'

// Opens the page of the first argument in headless Chromium and prints what it comes to.

const browser = await browserType.launch({
  executablePath: await chromium.executablePath(),
  args: chromium.args,
  headless: true,
})
try {
  const page = await browser.newPage()
  page.on('pageerror', (error) => console.error(error))
  page.on('console', (message) => console.error(message.text()))
  await page.goto(process.argv[2])
  const looks = await page.evaluate('result')
  console.log(`Chromium ${browser.version()}: ${looks} looks`)
} finally {
  await browser.close()
}
