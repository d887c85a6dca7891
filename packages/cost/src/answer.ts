import type { Catalog } from './book.ts'
import { shippedCatalog } from './catalog.ts'
import { costOf as costOfUsage, type CoreOptions } from './core.ts'
import { forCore } from './overrides.ts'
import { readUsage, type ReadOptions } from './readers.ts'
import type { Cost, CostOptions } from './types.ts'

/** What `costOf` is told besides the answer. What is named here wins over what the answer says. */
export interface AnswerOptions extends Omit<CostOptions, 'catalog'>, ReadOptions {
  /** Where prices are from. Default: those that come with this package. */
  readonly catalog?: Catalog | undefined
}

let shipped: Catalog | undefined

/**
 * What an answer of a model costs, exactly: the whole answer, its usage, or a usage that is read already. Each kind of use is
 * a line with its rate. What has no price is in `unpriced` with the reason, and then there is no `total`: unknown is never 0.
 *
 * A bundle that has a catalog of its own takes `costOf` of `@ratecard/cost/core`, which brings neither readers nor prices.
 *
 * @example costOf(await openai.chat.completions.create(request)).total
 * @throws UsageError where the answer cannot be read
 */
export function costOf(answer: unknown, options: AnswerOptions = {}): Cost {
  const { catalog = (shipped ??= shippedCatalog()), overrides } = options
  const usage = readUsage(answer, options)
  // Mostly nothing is to be added, and a copy costs as much as a line.
  if (catalog === options.catalog && overrides === undefined)
    return costOfUsage(usage, options as CoreOptions)
  return costOfUsage(usage, forCore({ ...options, catalog }))
}
