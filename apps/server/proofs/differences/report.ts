import type { AmountColumn } from '../../src/features/prices/price-record.ts'
import type { Difference, Findings, Historic } from './find.ts'
import { rules } from './rules.ts'

// docs/feed-differences.md, from what was found.

const columnNames: Readonly<Record<AmountColumn, string>> = {
  input_per_mtok: 'input',
  output_per_mtok: 'output',
  cached_input_per_mtok: 'cached input',
  image_per_unit: 'image',
  audio_per_min: 'audio',
  video_per_sec: 'video',
}

const introduction = `# Differences to the newest files

Every amount that is served otherwise than the newest file of a source states it, after all states of LiteLLM's file from 2025-02-06 to 2026-08-01 were read one after the other, and the newest file of each of the five other sources at its date, and all six again. The rules are those of the [judgement](feed.md#judgement); each is a question to the verdict on an amount (\`apps/server/proofs/differences/rules.ts\`), and none knows the name of a model. The proof fails when a rule explains a difference no more, and when this file is not what it finds.

\`\`\`sh
PRICE_DATA_DIR=… pnpm --filter @ratecard/server proofs proofs/feed-orders.test.ts     # checks this file
PRICE_DATA_DIR=… pnpm --filter @ratecard/server proofs proofs/feed-orders.test.ts -u  # writes it
\`\`\`

Amounts are in USD, of tokens per million. In brackets: who states it. An amount without a source was stated before.`

export function reportOf(
  { differences, equal, nonexistent }: Findings,
  historic: readonly Historic[],
): string {
  const used = rules.filter(({ name }) => differences.some(({ rule }) => rule === name))
  return [
    introduction,
    `${number(equal)} amounts are served as stated, ${number(differences.length)} otherwise. A source that states nothing denies nothing, and is not counted. ${number(nonexistent.length)} rows of other lists are not served, since the platform's own list lacks them.`,
    table(differences),
    `The history decides ${number(historic.length)} of the served amounts: without it the six newest files alone would give${historic.length === 0 ? ' the same' : ' another'}. ${historic.map(historicText).join(' ')}`.trimEnd(),
    ...used.map(({ name, says }) => {
      const explained = differences.filter(({ rule }) => rule === name)
      return `## ${name[0]!.toUpperCase()}${name.slice(1)}\n\n${says}\n\n${rowsOf(explained)}`
    }),
    '',
  ].join('\n\n').replace(/\n+$/, '\n') // prettier-ignore
}

function table(differences: readonly Difference[]): string {
  const sources = [...new Set(differences.map(({ source }) => source))].sort()
  const line = (name: string, counted: readonly Difference[]) => {
    const counts = sources.map((source) => counted.filter((one) => one.source === source).length)
    return `| ${[name, ...counts, counted.length].join(' | ')} |`
  }
  return [
    `| Rule | ${sources.join(' | ')} | all |`,
    `| --- | ${sources.map(() => '---: |').join(' ')} ---: |`,
    ...rules.flatMap(({ name }) => {
      const explained = differences.filter(({ rule }) => rule === name)
      return explained.length === 0 ? [] : [line(name, explained)]
    }),
    line('all', differences),
  ].join('\n')
}

/** One line per amount: what it is, who states what, and what is served. */
function rowsOf(differences: readonly Difference[]): string {
  const amounts = Map.groupBy(differences, ({ id, column }) => `${id}\n${column}`)
  const lines = [...amounts.values()].map((same) => {
    const { id, column, served, saidBy } = same[0]!
    const stated = [...Map.groupBy(same, (one) => one.stated)].map(([amount, stating]) =>
      shown(amount, amount === null ? [] : stating.map(({ source }) => source)),
    )
    const exact = saidBy.filter((source) => !same.some((one) => one.source === source))
    return `| \`${id.replaceAll('|', '\\|')}\` | ${columnNames[column]} | ${stated.join('; ')} | ${shown(served, exact)} |`
  })
  return ['| Resource | Amount | Stated | Served |', '| --- | --- | --- | --- |', ...lines].join('\n')
}

function historicText({ id, column, served, without, rule }: Historic): string {
  return `\`${id}\` ${columnNames[column]}: ${served ?? 'nothing'}, without it ${without ?? 'nothing'} (${rule}).`
}

function shown(amount: string | null, sources: readonly string[]): string {
  const value = amount ?? 'nothing'
  return sources.length === 0 ? value : `${value} (${sources.join(', ')})`
}

function number(count: number): string {
  return new Intl.NumberFormat('en-US').format(count)
}
