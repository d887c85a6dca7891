import axe from 'axe-core'

/** A page of Playwright or of Puppeteer. */
interface Page {
  evaluate: (script: string) => Promise<unknown>
}

/** In the page, for all that axe has found there is megabytes, most of it of what is right. */
const run = `axe.run({ resultTypes: ['violations'] }).then(({ violations }) =>
  violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary = '' }) => id + ' at ' + target.join(' ') + ': ' + failureSummary),
  ),
)`

/** Axe's findings on a page, a line each: the rule, the element, and the reason. */
export async function violations(page: Page): Promise<string[]> {
  // Axe is exempt from the page's policy, like a browser's own tools. The page itself is not.
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source)
  return (await page.evaluate(run)) as string[]
}
