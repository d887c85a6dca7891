import type { AmountColumn } from '../../../apps/server/src/catalog/price-record.ts'
import type { SourceName } from '../../../apps/server/src/ingest/sources/index.ts'

// Where an amount stands in a source's file, so that a fault is written where the source would write it.

export type Json = Record<string, unknown>
export type Column = Extract<AmountColumn, 'input_per_mtok' | 'output_per_mtok' | 'cached_input_per_mtok'>

/** The prices of one row in the file, and the names of its fields. */
export interface Cells {
  holder: Json
  fields: Readonly<Record<Column, string>>
}

export const editedSources = ['litellm', 'models.dev', 'genai-prices'] as const satisfies SourceName[]
export type EditedSource = (typeof editedSources)[number]

const fieldsOf: Readonly<Record<EditedSource | 'openrouter', Record<Column, string>>> = {
  litellm: {
    input_per_mtok: 'input_cost_per_token',
    output_per_mtok: 'output_cost_per_token',
    cached_input_per_mtok: 'cache_read_input_token_cost',
  },
  'models.dev': { input_per_mtok: 'input', output_per_mtok: 'output', cached_input_per_mtok: 'cache_read' },
  'genai-prices': {
    input_per_mtok: 'input_mtok',
    output_per_mtok: 'output_mtok',
    cached_input_per_mtok: 'cache_read_mtok',
  },
  openrouter: {
    input_per_mtok: 'prompt',
    output_per_mtok: 'completion',
    cached_input_per_mtok: 'input_cache_read',
  },
}

/** Null: the row's input and output are no plain numbers. */
export function cellsOf(source: EditedSource | 'openrouter', file: unknown, sourceKey: string): Cells | null {
  const holder = holderOf(source, file, sourceKey)
  const fields = fieldsOf[source]
  if (!isObject(holder)) return null
  const isPlain = [fields.input_per_mtok, fields.output_per_mtok].every((field) => {
    const value = holder[field]
    return (typeof value === 'number' || typeof value === 'string') && Number(value) > 0
  })
  return isPlain ? { holder, fields } : null
}

function holderOf(source: EditedSource | 'openrouter', file: unknown, sourceKey: string): unknown {
  if (source === 'litellm') return (file as Json)[sourceKey]
  if (source === 'genai-prices') {
    const [provider, ...id] = sourceKey.split(':')
    const of = (file as { id: string; models: Json[] }[]).find((one) => one.id === provider)
    return of?.models.find((model) => model.id === id.join(':'))?.prices
  }
  if (source === 'openrouter')
    return (file as { data: Json[] }).data.find(({ id }) => id === sourceKey)?.pricing
  const slash = sourceKey.indexOf('/')
  const provider = (file as Record<string, { models: Record<string, Json> }>)[sourceKey.slice(0, slash)]
  return provider?.models[sourceKey.slice(slash + 1)]?.cost
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A number times a factor, without the dust of binary fractions; strings stay strings. */
export function scaled(value: unknown, factor: number): unknown {
  const product = Number((Number(value) * factor).toPrecision(12))
  return typeof value === 'string' ? product.toFixed(15).replace(/0+$/, '') : product
}

export function scaleCells({ holder, fields }: Cells, columns: readonly Column[], factor: number): void {
  for (const column of columns) {
    const field = fields[column]
    if (holder[field] != null) holder[field] = scaled(holder[field], factor)
  }
}
