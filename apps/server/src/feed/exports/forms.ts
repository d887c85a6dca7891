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
  litellm: json('LiteLLM', writeLitellm, {
    about: 'its model_prices_and_context_window.json, USD per unit',
    upstream: 'litellm',
  }),
  'genai-prices': json('genai-prices', writeGenaiPrices, {
    about: 'its v2 data.json, USD per million',
    upstream: 'genai-prices',
  }),
  'models.dev': json('models.dev', writeModelsDev, {
    about: 'its api.json for opencode and others, USD per million',
    upstream: 'models.dev',
  }),
  bifrost: json('Bifrost', writeBifrost, { about: 'its datasheet, USD per unit', upstream: 'litellm' }),
  agentgateway: json('agentgateway', writeAgentgateway, {
    about: 'its model catalogue, USD per million as decimal text',
  }),
  openlit: json('OpenLIT', writeOpenlit, { about: 'its pricing.json, USD per thousand' }),
  langfuse: json('Langfuse', writeLangfuse, { about: 'its default-model-prices.json, USD per token' }),
  'nemo-relay': json('NeMo Relay', writeNemoRelay, {
    about: 'its pricing source, per million in the currency of the price',
  }),
  'new-api': json('new-api', writeNewApi, { about: 'what it syncs ratios from, 1 for 2 USD per million' }),
  focus: {
    title: 'FOCUS',
    about: 'a price sheet, a row for each rate in the currency of the price',
    file: 'focus.csv',
    type: 'text/csv; charset=utf-8',
    upstream: null,
    tellsUnknown: true,
    write: writeFocus,
  },
  parquet: {
    title: 'Parquet',
    about: 'typed columns for DuckDB, pandas and Polars, a row for each price',
    file: 'prices.parquet',
    type: 'application/vnd.apache.parquet',
    upstream: null,
    tellsUnknown: true,
    write: writeParquet,
  },
  'table-csv': {
    title: 'CSV',
    about: 'the same as CSV, amounts as exact text',
    file: 'prices.csv',
    type: 'text/csv; charset=utf-8',
    upstream: null,
    tellsUnknown: true,
    write: writeCsv,
  },
  'table-sqlite': {
    title: 'SQLite',
    about: 'the same as the table "prices" of a database',
    file: 'prices.sqlite',
    type: 'application/vnd.sqlite3',
    upstream: null,
    tellsUnknown: true,
    write: writeSqliteTable,
  },
} satisfies Record<string, Form>
export type FormName = keyof typeof forms
export const formNames = Object.keys(forms) as FormName[]

function json(
  title: string,
  write: Form['write'],
  { about, upstream = null }: Pick<Form, 'about'> & Partial<Pick<Form, 'upstream'>>,
): Form {
  const file = `${title.toLowerCase().replaceAll(' ', '-')}.json`
  return { title, about, file, type: 'application/json', upstream, write }
}

/** The name of what says of a file what it holds. Files of one name hold the same and share it. */
export function reportName(file: string): string {
  return `${file.replace(/\.[^./]+$/, '')}.report.json`
}
