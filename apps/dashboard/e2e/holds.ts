import { writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Product } from './product.ts'

// Price moves that wait for an operator, made by runs of two sources as a person makes them.

/** The demo user is an operator. */
export const operatorSettings = { OPERATOR_EMAILS: 'demo@ratecard.example' }

const perToken = (usdPerMtok: number) => Number((usdPerMtok / 1_000_000).toPrecision(12))

/** A row of LiteLLM's list, in USD per million tokens. */
const row = (provider: string, input: number, output: number, source?: string) => ({
  litellm_provider: provider,
  mode: 'chat',
  input_cost_per_token: perToken(input),
  output_cost_per_token: perToken(output),
  ...(source !== undefined && { source }),
})

const before = {
  'acme/alpha': row('acme', 2, 8, 'https://acme.example/pricing'),
  'acme/beta': row('acme', 1, 4, 'javascript:alert(1)'),
  'acme/gamma': row('acme', 0.075, 0.3),
  'acme/delta': row('acme', 3, 15),
  'acme/epsilon': row('acme', 0.5, 2),
  'azure/gpt-9': row('azure', 2.2, 8),
  'together_ai/gpt-9': row('together_ai', 2.125, 8.5),
  'fireworks_ai/gpt-9': row('fireworks_ai', 2, 8),
  'openai/gpt-9': row('openai', 2, 8, 'https://openai.com/api/pricing/'),
  'deepinfra/gpt-9': row('deepinfra', 200, 800, 'https://deepinfra.com/pricing?model=gpt-9'),
}
const after = {
  ...before,
  'acme/alpha': row('acme', 40, 8, 'https://acme.example/pricing'),
  'acme/beta': row('acme', 20, 4, 'javascript:alert(1)'),
  'acme/gamma': row('acme', 0.75, 3),
  'acme/delta': row('acme', 15, 3),
  'acme/epsilon': row('acme', 0.9, 2),
}
/** A second source, which denies one of the moves. In the form of models.dev. */
const second = {
  acme: {
    id: 'acme',
    doc: 'https://acme.example/models',
    models: {
      epsilon: {
        id: 'epsilon',
        modalities: { input: ['text'], output: ['text'] },
        cost: { input: 0.5, output: 2 },
      },
    },
  },
}

const hourMs = 3_600_000

async function fileUrl(content: unknown): Promise<string> {
  const file = join(tmpdir(), `ratecard-cut-${process.pid}.json`)
  await writeFile(file, JSON.stringify(content))
  return pathToFileURL(file).href
}

/** A file that is not the second source's. */
const cut = ['no list of providers']

/** Makes six moves wait, beside those of the program's own list, and shuts two sources out. @returns the id of each move by its record */
export async function seedHolds({ ratecard, withDb }: Product): Promise<Map<string, string>> {
  const run = async (source: string, content: unknown, agoHours: number) => {
    const file = join(tmpdir(), `ratecard-${source}-${process.pid}.json`)
    await writeFile(file, JSON.stringify(content))
    const at = new Date(Date.now() - agoHours * hourMs).toISOString()
    await ratecard('feed', 'run', source, '--file', file, '--observed-at', at, '--no-alert', '--accept-file')
  }
  await run('litellm', before, 130)
  await run('models.dev', second, 129)
  await run('litellm', after, 3)
  for (const url of [await fileUrl(cut), 'http://127.0.0.1:2/portkey.json']) {
    const source = url.startsWith('file:') ? 'models.dev' : 'portkey'
    // Both exit with 1.
    await ratecard('feed', 'run', source, '--url', url).catch(() => undefined)
  }
  return withDb(async (db) => {
    const rows = await db
      .selectFrom('feed_holds')
      .select(['id', 'resource_id'])
      .where('state', '=', 'open')
      .execute()
    return new Map(rows.map(({ id, resource_id }) => [resource_id, id]))
  })
}
