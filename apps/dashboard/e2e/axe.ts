import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** Axe's findings on a page, a line each: the rule, the element, and the reason. */
export async function violations(page: Page): Promise<string[]> {
  // Axe is exempt from the page's policy, like a browser's own tools. The page itself is not.
  await page.evaluate(axe.source)
  const results = await page.evaluate<AxeResults>('axe.run()')
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}
