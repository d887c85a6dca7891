import axe, { type AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

/** What axe finds wrong with a page as it is, a line each: the rule, where, and why. */
export async function violations(page: Page): Promise<string[]> {
  // Past the policy of the page, as a browser's own tools are; it stays in force for the page itself.
  await page.evaluate(axe.source)
  const results = await page.evaluate<AxeResults>('axe.run()')
  return results.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => `${id} at ${target.join(' ')}: ${failureSummary}`),
  )
}
