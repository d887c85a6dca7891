import { writeAgentgateway } from './agentgateway.ts'
import { writeBifrost } from './bifrost.ts'
import { writeFocus } from './focus.ts'
import type { Form } from './form.ts'
import { writeGenaiPrices } from './genai-prices.ts'
import { writeLangfuse } from './langfuse.ts'
import { writeLitellm } from './litellm.ts'
import { writeModelsDev } from './models-dev.ts'
import { writeNemoRelay } from './nemo-relay.ts'
import { writeNewApi } from './new-api.ts'
import { writeOpenlit } from './openlit.ts'
import { writeParquet } from './parquet.ts'
import { writeCsv, writeSqliteTable } from './plain-tables.ts'

/** The forms of other programs, by the name that an operator types. */
export const forms = {
  litellm: form('LiteLLM', 'its model_prices_and_context_window.json, USD per unit', writeLitellm, {
    upstream: 'litellm',
  }),
  'genai-prices': form('genai-prices', 'its v2 data.json, USD per million', writeGenaiPrices, {
    upstream: 'genai-prices',
  }),
  'models.dev': form('models.dev', 'its api.json for opencode and others, USD per million', writeModelsDev, {
    upstream: 'models.dev',
  }),
  bifrost: form('Bifrost', 'its datasheet, USD per unit', writeBifrost, { upstream: 'litellm' }),
  agentgateway: form(
    'agentgateway',
    'its model catalogue, USD per million as decimal text',
    writeAgentgateway,
  ),
  openlit: form('OpenLIT', 'its pricing.json, USD per thousand', writeOpenlit),
  langfuse: form('Langfuse', 'its default-model-prices.json, USD per token', writeLangfuse),
  'nemo-relay': form(
    'NeMo Relay',
    'its pricing source, per million in the currency of the price',
    writeNemoRelay,
  ),
  'new-api': form('new-api', 'what it syncs ratios from, 1 for 2 USD per million', writeNewApi),
  focus: form('FOCUS', 'a price sheet, a row for each rate in the currency of the price', writeFocus, {
    file: 'focus.csv',
    tellsUnknown: true,
  }),
  parquet: form(
    'Parquet',
    'typed columns for DuckDB, pandas and Polars, a row for each price',
    writeParquet,
    {
      file: 'prices.parquet',
      tellsUnknown: true,
    },
  ),
  'table-csv': form('CSV', 'the same as CSV, amounts as exact text', writeCsv, {
    file: 'prices.csv',
    tellsUnknown: true,
  }),
  'table-sqlite': form('SQLite', 'the same as the table "prices" of a database', writeSqliteTable, {
    file: 'prices.sqlite',
    tellsUnknown: true,
  }),
} satisfies Record<string, Form>
export type FormName = keyof typeof forms
export const formNames = Object.keys(forms) as FormName[]

function form(title: string, about: string, write: Form['write'], special: Partial<Form> = {}): Form {
  const file = `${title.toLowerCase().replaceAll(' ', '-')}.json`
  return { title, about, file, upstream: null, write, ...special }
}

/** The name of what says of a file what it holds. Files of one name hold the same and share it. */
export function reportName(file: string): string {
  return `${file.replace(/\.[^./]+$/, '')}.report.json`
}
