import { lookUpCard } from '../card.ts'
import { resolve } from '../index.ts'
import { pricesIn } from '../prices-in.ts'
import { CliError, inCliWords, openCatalog, plain, stampText, table, type Command } from './command.ts'

/** What a name means, and what it costs. */
export const explainCommand: Command = async (
  { argument, platform, region, catalog: named, json },
  { out },
) => {
  if (argument === undefined) throw new CliError('Name a model: ratecard-cost explain MODEL.')
  const catalog = await openCatalog(named)
  const resolution = resolve(argument, { catalog, platform, region })
  const where = region ?? (resolution.isResolved ? resolution.region : null)
  const there = resolution.isResolved
    ? pricesIn(where, resolution.record, { catalog, platform, region, model: argument })
    : null
  const stamp = catalog.stamp()
  if (json) out(`${JSON.stringify({ name: argument, ...resolution, catalog: stamp }, null, 2)}\n`)
  else if (!resolution.isResolved) {
    out(`${plain(inCliWords(resolution.message))}\n`)
    const { candidates } = resolution
    if (candidates.length > 0)
      out(`It may be one of these:\n${candidates.map((id) => `  ${plain(id)}\n`).join('')}`)
    out(stampText(stamp))
  } else {
    const { record, rule, steps } = resolution
    out(`${plain(record.resource_id)}, by ${rule.replaceAll('_', ' ')}: ${steps.map(plain).join(' > ')}\n\n`)
    const { rates, multipliers } = lookUpCard(record)
    const rows = [...rates].flatMap(([meter, all]) =>
      all.map(({ unit, amount, tier, variant, threshold, hours }) => {
        const length = threshold === null ? '' : `above ${threshold}`
        const condition = [tier, variant, length, hours].filter((part) => part).join(', ')
        return [meter, amount, unit, condition || 'standard']
      }),
    )
    const factors = [...multipliers].map(([variant, amount]) => ['all prices', amount, 'times', variant])
    if (there === null)
      out(`The catalog has no price for the region "${plain(where ?? '')}". Elsewhere it costs:\n\n`)
    else if (there !== record) {
      const amounts = Object.entries(there).map(([field, amount]) => `${field} ${amount}`)
      out(`In the region "${plain(where ?? '')}": ${amounts.join(', ')}. Without a region:\n\n`)
    }
    out(table([['What', record.currency ?? 'Amount', 'Per', 'When'], ...rows, ...factors], [1]))
    out(`\n${stampText(stamp)}`)
  }
  return there === null ? 1 : 0
}
