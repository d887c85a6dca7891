import type { Cost } from '../../src/index.ts'
import { peersOf, usedIn, type Figure } from './peers.ts'
import { costOfRow, rows, type Row } from './rows.ts'

// docs/cost-comparison.md, from the table and the data of others.

/** What decides the cost of a row, the rarest condition first: where a peer is off, this is mostly why. */
function kindOf({ told, platform }: Row, { lines, unpriced }: Cost): string {
  const all = [...lines, ...unpriced]
  const has = (test: (line: { meter: string; variant: string | null }) => boolean) => all.some(test)
  if (lines.some(({ hours }) => hours !== null) || platform === 'deepseek') return 'hours of the day'
  if (lines.some(({ tier, multiplier }) => tier !== null && multiplier === '1'))
    return 'batch, flex, priority'
  if (unpriced.some(({ reason }) => reason === 'no_rate_for_tier')) return 'batch, flex, priority'
  if (lines.some(({ multiplier }) => multiplier !== '1')) return 'region or mode'
  if (unpriced.some(({ reason }) => reason === 'no_rate_for_region')) return 'region or mode'
  if (unpriced.some(({ reason }) => reason.startsWith('model_'))) return 'a name that is not sure'
  if (told?.at !== undefined || unpriced.some(({ reason }) => reason === 'before_history')) return 'date'
  if (lines.some(({ threshold }) => threshold !== null)) return 'long prompt'
  if (has(({ meter, variant }) => meter === 'cache_write_tokens' && variant !== null))
    return 'life of a cache write'
  if (has(({ meter }) => /searches|requests|sessions|pages|executions|sources|queries/.test(meter)))
    return 'fees, pages, reranking'
  if (has(({ meter }) => /audio|image|video|document|characters/.test(meter))) return 'audio, images, video'
  if (has(({ meter }) => meter.startsWith('cache'))) return 'cache'
  return 'input, output, reasoning'
}

const isSame = (a: number, b: number) => Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))

type Verdict = 'same' | 'other' | 'none' | 'open'

function verdictOf(cost: Cost, figure: Figure): Verdict {
  if (figure === null) return 'none'
  if (!cost.isWhole) return 'open'
  return isSame(Number(cost.total), figure) ? 'same' : 'other'
}

const words = (verdict: Verdict, figure: Figure) =>
  verdict === 'none'
    ? '–'
    : verdict === 'same'
      ? '='
      : `${Number(figure!.toPrecision(8))}${verdict === 'open' ? ' ?' : ''}`

function whoIsRight({ note, rule }: Row, cost: Cost, verdicts: readonly Verdict[]): string {
  const reason = note === undefined ? rule : `${rule} ${note}`
  if (!cost.isWhole) return `Nobody can say by the list: ${reason}`
  if (!verdicts.includes('other')) return reason
  return note === undefined
    ? `The working: ${reason}`
    : `The working by the list's rates, and whoever has the vendor's: ${reason}`
}

const cell = (text: string) => text.replaceAll('|', '\\|')

/** The document, with the data of others in this folder. */
export function comparisonOf(folder: string): string {
  const peers = peersOf(folder)
  const results = rows.map((row) => {
    const cost = costOfRow(row)
    const figures = peers.map((peer) => peer.cost(usedIn(row)))
    return {
      row,
      cost,
      kind: kindOf(row, cost),
      figures,
      verdicts: figures.map((one) => verdictOf(cost, one)),
    }
  })
  const kinds = [...new Set(results.map(({ kind }) => kind))].sort()
  const summary = [...kinds, 'all'].map((kind) => {
    const own = results.filter((one) => kind === 'all' || one.kind === kind)
    const shares = peers.map((_, at) => {
      const of = (verdict: Verdict) => own.filter(({ verdicts }) => verdicts[at] === verdict).length
      return `${of('same')} / ${of('other')} / ${of('none')} / ${of('open')}`
    })
    const whole = own.filter(({ cost }) => cost.isWhole).length
    return `| ${kind} | ${own.length} | ${whole} | ${shares.join(' | ')} |`
  })
  const table = results.map(({ row, cost, figures, verdicts }) => {
    const own = cost.isWhole ? cost.total : `at least ${cost.atLeast}`
    const others = figures.map((figure, at) => words(verdicts[at]!, figure))
    return `| ${cell(row.id)} | ${cost.resourceId ?? '–'} | ${own} | ${others.join(' | ')} | ${cell(whoIsRight(row, cost, verdicts))} |`
  })
  const names = peers.map(({ name }) => name).join(' | ')
  const line = '| --- '.repeat(peers.length)
  return `${intro}
## By what decides the cost

Each cell: the same figure / another figure / none / a figure where ours is open.

| What decides | Rows | Whole here | ${names} |
| --- | --- | --- ${line}|
${summary.join('\n')}

## The rows

\`=\` is the figure of the working, \`–\` is none, and \`?\` is a figure that the list cannot judge.

| Row | Record | Cost | ${names} | Who is right, and why |
| --- | --- | --- ${line}| --- |
${table.join('\n')}
`
}

const intro = `# What the same answers cost elsewhere

<!-- Written by packages/cost/scripts/compare.ts. Do not edit. -->

The table of \`packages/cost/test/table\` has usage objects as vendors answer them. Each has its cost as a working in plain
decimals, by the vendor's published rule, and a test evaluates it in arithmetic of its own: \`@ratecard/cost\` is equal to the last
digit, or says what has no price. Here is what others give for the same objects.

It is a comparison of rules and of data at once, and the data are of different days: genai-prices 0.1.8 as installed (the list that
\`@ratecard/cost\` is shipped with, so it has the same rates), LiteLLM's map of 2026-08-01, models.dev's data of 2026-07-02. A price
that moved since is "another figure" without being anybody's mistake. Each peer gets the counts in the form that it documents, and
the name that the answer has. They differ in purpose too: models.dev is data without a formula, and tokencost counts the tokens of
texts.

- **genai-prices**: its own code, \`calcPrice\`, with the provider and the time. It takes no tier and no region.
- **llm-pricing**: 0.18.0 as installed, offline: its own code on its archive, with the time. It takes no platform, tier and region.
- **LiteLLM**: its map, by the formula of \`generic_cost_per_token\`, computed here, since its code is Python.
- **models.dev**: its amounts times the counts, with its tiers. What it has no field for is taken at the plain rate.
- **tokencost**: \`calculate_cost_by_tokens\` for what went in and what came out, on the map that it fetches, which is LiteLLM's;
  computed here, since its code is Python.

What the list lacks and vendors publish (batches, flex, priority, regions, fees of tools, pictures, speech) is in
\`apps/server/scripts/cost-rules.ts\`, \`cost-tiers.ts\`, \`cost-moves.ts\` and \`cost-media.ts\`, each with its page. To add a row, write a line
of JSON: the answer, the working, the rule; then run the script.
`
