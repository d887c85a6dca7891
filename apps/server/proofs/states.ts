import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

// Databases as servers of earlier commits have left them: `keep-state.ts` makes them.

export const statesFolder = fileURLToPath(new URL('states', import.meta.url))

export interface State {
  commit: string
  version: string
  secretsKey: string
  /** A backup lies beside it, made by the same server. */
  hasBackup: boolean
  /** The free plan's is used up today, with 3 of 10 units of a pack; the paying one was rotated. */
  keys: { free: string; paying: string; revoked: string }
  webhooks: { id: string; path: string; secret: string }[]
  person: { email: string; password: string }
}

export const states = readdirSync(statesFolder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(`${statesFolder}/${file}`, 'utf8')) as State)

const fileOf = ({ commit }: State) => `${statesFolder}/${commit.slice(0, 8)}`

export const backupOf = (state: State) => `${fileOf(state)}.backup.gz`

/** Statements that make the database. */
export const dumpOf = (state: State) => gunzipSync(readFileSync(`${fileOf(state)}.sql.gz`)).toString()

const rows = Array.from(
  { length: 12 },
  (_, n) => `acme:model-${n},acme/model-${n},acme,llm,${n + 1},${n + 2}`,
)

/** The file that the prices of each state are from. */
export const ownPrices = [
  'resource_id,product_id,vendor,modality,input_per_mtok,output_per_mtok',
  ...rows,
  '',
].join('\n')
