import {
  formatAmount,
  formatCount,
  formatNumber,
  formatOtherAmounts,
  nameModality,
} from '@ratecard/contract/wording'
import { sourceName } from '@ratecard/contract/model-name'
import { blendedUsd, findPlatform, type CatalogueRow, type Model } from '../../catalog/catalogue.ts'
import { abilities, type Fact, type FactName } from '../../catalog/model-facts.ts'
import type { AmountColumn } from '../../catalog/price-record.ts'
import { makerMark } from './maker-mark.ts'
import { html, type Html, type Part } from './html.ts'
import { amountCell, cardTable, rateMarks } from './parts.ts'
import { countShown, modelPath, platformLink, vendorLink } from './words.ts'

// Models in rows. A column is an entry of one table: its name, what it is sorted by, and its cell.

type Value = number | string | null
interface Column {
  name: string
  value: (model: Model) => Value
  /** Of prices by the token there is none: they are drawn together, for what is billed otherwise has one cell. */
  cell?: (model: Model) => Part
  isNumber?: true
  /** Seen only where it is asked for. */
  isExtra?: true
}

const factColumn = (
  name: string,
  pickFact: (model: Model) => Fact | undefined,
  toText: (value: Fact['value']) => string,
  more: Pick<Column, 'isNumber' | 'isExtra'>,
): Column => ({
  name,
  value: (model) => (pickFact(model)?.value as Value | undefined) ?? null,
  cell: (model) => factText(pickFact(model), toText),
  ...more,
})
const amountColumn = (name: string, column: AmountColumn): Column => ({
  name,
  value: ({ headline }) => toNumber(headline[column]),
  isNumber: true,
})

export const modelColumns = {
  model: { name: 'Model', value: ({ name }) => name.toLowerCase() },
  maker: { name: 'Maker', value: ({ vendor }) => vendor, cell: ({ vendor }) => vendorLink(vendor) },
  input: amountColumn('Input', 'input_per_mtok'),
  output: amountColumn('Output', 'output_per_mtok'),
  cached: amountColumn('Cached input', 'cached_input_per_mtok'),
  blended: { name: 'Blended', value: ({ headline }) => blendedUsd(headline), isNumber: true },
  context: factColumn('Context', pickContext, formatTokens, { isNumber: true }),
  limit: factColumn('Output limit', ({ facts }) => facts.output_tokens, formatTokens, {
    ...{ isNumber: true, isExtra: true },
  }),
  released: factColumn('Released', ({ facts }) => facts.released_on, String, { isExtra: true }),
  cutoff: factColumn('Knowledge', ({ facts }) => facts.knowledge_until, String, { isExtra: true }),
  abilities: {
    name: 'Abilities',
    value: ({ facts }) => abilities.filter((name) => facts[name]?.value === true).length,
    cell: abilitiesCell,
    isExtra: true,
  },
  platforms: { name: 'Platforms', value: ({ platforms }) => platforms.length, cell: soldText },
} as const satisfies Record<string, Column>
export type ModelColumn = keyof typeof modelColumns

export const columnNames = Object.keys(modelColumns) as ModelColumn[]
export const findColumn = (name: ModelColumn): Column => modelColumns[name]
export const usualColumns = columnNames.filter((name) => findColumn(name).isExtra !== true)

const tokenColumns = {
  input: 'input_per_mtok',
  output: 'output_per_mtok',
  cached: 'cached_input_per_mtok',
} as const satisfies Partial<Record<ModelColumn, AmountColumn>>
const isOfToken = (name: ModelColumn) => Object.hasOwn(tokenColumns, name) || name === 'blended'

/** What a narrow screen shows as well. */
const narrowColumns: readonly ModelColumn[] = ['model', 'input', 'output']

interface TableOptions {
  columns?: readonly ModelColumn[]
  /** The head of a column that one can sort by. */
  buildHead?: (column: ModelColumn) => Part
  /** The id of a form that compares what is ticked. */
  form?: string
}

/** Models with the prices of the record that stands for each. */
export function modelTable(
  models: readonly Model[],
  label: string,
  { columns = usualColumns, buildHead = (column) => modelColumns[column].name, form }: TableOptions = {},
): Html {
  const decimals = new Map(
    Object.values(tokenColumns).map((column) => [
      column,
      countShown(models.map(({ headline }) => headline[column])),
    ]),
  )
  // What is asked for by name is seen everywhere.
  const optional = (name: ModelColumn) =>
    !narrowColumns.includes(name) && findColumn(name).isExtra !== true && ' opt'
  const tokens = columns.filter(isOfToken)
  const tokenCell = (name: ModelColumn, { headline }: Model) => {
    const className = optional(name) || ''
    return name === 'blended'
      ? html`<td class="num${className}">${blendedText(headline)}</td>`
      : amountCell(
          headline,
          tokenColumns[name as keyof typeof tokenColumns],
          decimals.get(tokenColumns[name as keyof typeof tokenColumns])!,
          className,
        )
  }
  const cells = (model: Model) => {
    const others = formatOtherAmounts(model.headline)
    const { input_per_mtok: input, output_per_mtok: output } = model.headline
    const byToken = input !== null || output !== null || others === ''
    return columns.slice(1).map((name) => {
      if (!isOfToken(name))
        return html`<td class="${findColumn(name).isNumber && 'num'}${optional(name)}">
          ${findColumn(name).cell?.(model)}
        </td>`
      if (byToken) return tokenCell(name, model)
      // One cell for those that all screens show, and one for the others.
      const alike = tokens.filter((token) => optional(token) === optional(name))
      return (
        alike[0] === name &&
        html`<td class="num${optional(name)}" colspan="${alike.length}">
          ${alike.length === tokens.length || optional(name) === false ? others : ''}
        </td>`
      )
    })
  }
  return cardTable(
    label,
    html`${columns.map((name) => html`<th scope="col" class="${findColumn(name).isNumber && 'num'}${optional(name)}">${buildHead(name)}</th>`)}`,
    models.map(
      (model) =>
        html`<tr>
          ${nameCell(model, form)}${cells(model)}
        </tr>`,
    ),
    `lean dense${columns.some((name) => findColumn(name).isExtra) ? ' broad' : ''}`,
  )
}

function nameCell(model: Model, form: string | undefined): Html {
  const { headline, id, name, vendor, modality, others, variants } = model
  return html`<th scope="row">
    ${form !== undefined && model.isProduct && html`<input type="checkbox" form="${form}" name="models" value="${id}" aria-label="Compare ${name}" />`}${confidenceDot(headline)}${makerMark(vendor)}<a
      href="${modelPath(model)}"
      title="${id}"
      >${name}</a
    >
    ${modality !== 'llm' && html` <span class="badge">${nameModality(modality)}</span>`}${others.length > 1 && html` <span class="badge">median</span>`}${variants.length > 0 && html` <span class="badge">+ ${formatCount(variants.length, 'variant')}</span>`}${rateMarks(headline)}
  </th>`
}

/** That a second source confirms it, or that none does. */
function confidenceDot({ is_confirmed }: CatalogueRow): Html {
  if (is_confirmed === null) return html`<span class="dot"></span>`
  const text = is_confirmed ? 'confirmed by a second source' : 'one source'
  return html`<span
    class="dot ${is_confirmed ? 'good' : 'one'}"
    role="img"
    aria-label="${text}"
    title="${text}"
  ></span>`
}

function toNumber(amount: string | null): number | null {
  return amount === null ? null : Number(amount)
}

function blendedText(row: CatalogueRow): string {
  const usd = blendedUsd(row)
  return usd === null ? '–' : formatAmount(usd < 1 ? Number(usd.toPrecision(3)) : usd.toFixed(2), 'USD')
}

/** Where it is sold, and for how little where that is another place than the one whose price is shown. */
function soldText({ headline, platforms, others }: Model): Html {
  if (others.length < 2) {
    const more = platforms.length - 1
    return html`${platformLink(findPlatform(headline))}${more > 0 && ` + ${more}`}`
  }
  return html`${formatCount(platforms.length, 'platform')}, from ${blendedText(others[0]!)}`
}

/** What fits into it; of some models sources state only what may be asked. */
export function pickContext({ facts }: Model): Fact | undefined {
  return facts.context_tokens ?? facts.input_tokens
}

/** "200K", "1.05M" */
export function formatTokens(value: Fact['value']): string {
  const tokens = Number(value)
  if (tokens < 1_000) return String(tokens)
  return tokens < 999_500 ? `${Math.round(tokens / 1_000)}K` : `${Number((tokens / 1_000_000).toFixed(2))}M`
}

/** A value with its sources on hover, and whether they disagree. */
export function factText(fact: Fact | undefined, toText: (value: Fact['value']) => string = String): Html {
  if (fact === undefined) return html`<span aria-hidden="true">–</span><span class="vh">unknown</span>`
  return html`<span title="${sourcesText(fact)}"
    >${toText(fact.value)}${fact.isDisputed && html`<abbr class="differ" title="${sourcesText(fact)}">≠<span class="vh"> sources disagree</span></abbr>`}</span
  >`
}

/** "models.dev: 400,000; litellm: 272,000" */
function sourcesText({ said }: Fact): string {
  const text = (value: Fact['value']) =>
    typeof value === 'number' ? formatNumber(value) : value === true ? 'yes' : value === false ? 'no' : value
  return said.map(({ source, value }) => `${sourceName(source)}: ${text(value)}`).join('; ')
}

const abilityWords: Record<(typeof abilities)[number], string> = {
  ...{ vision: 'images', audio: 'audio', tools: 'tools', reasoning: 'reasoning', schemas: 'schemas' },
}

export function abilitiesCell({ facts }: Model): Html {
  const known = abilities.filter((name: FactName) => facts[name] !== undefined)
  if (known.length === 0) return factText(undefined)
  const can = known.filter((name) => facts[name]!.value === true)
  if (can.length === 0) return html`none`
  return html`${can.map((name, place) => html`${place > 0 && ', '}${factText(facts[name], () => abilityWords[name])}`)}`
}

/** What is known of a model beside its prices, with who states it. */
export function factList(model: Model): Html {
  const facts = [
    ['Context window', pickContext(model), formatTokens],
    ['Output limit', model.facts.output_tokens, formatTokens],
    ['Released', model.facts.released_on, String],
    ['Knowledge until', model.facts.knowledge_until, String],
  ] as const
  const line = (name: string, value: Html, said: string) =>
    html`<dt>${name}</dt>
      <dd>${value} <span class="soft">${said}</span></dd>`
  const can = abilities.flatMap((name) => model.facts[name] ?? [])
  if (can.length === 0 && facts.every(([, fact]) => fact === undefined)) return html``
  return html`<dl class="facts">
    ${facts.map(([name, fact, toText]) => fact && line(name, factText(fact, toText), sourcesText(fact)))}
    ${
      can.length > 0 &&
      line(
        'Abilities',
        abilitiesCell(model),
        [...new Set(can.flatMap(({ said }) => said.map(({ source }) => sourceName(source))))].join(', '),
      )
    }
  </dl>`
}
