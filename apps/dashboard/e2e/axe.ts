import axe, { type AxeResults } from 'axe-core'

/** A page of Playwright or of Puppeteer. */
interface Page {
  evaluate: (script: string) => Promise<unknown>
}

/** Axe's findings on a page, a line each: the rule, the element, and the reason. */
export async function violations(page: Page): Promise<string[]> {
  // Axe is exempt from the page's policy, like a browser's own tools. The page itself is not.
  await page.evaluate(axe.source)
  const results = (await page.evaluate('axe.run()')) as AxeResults
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}
