import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { calcPrice, updatePrices, waitForUpdate } from '@pydantic/genai-prices'
import { Ajv } from 'ajv'
import addFormatsModule from 'ajv-formats'
import { Ajv2020 } from 'ajv/dist/2020.js'
import ts from 'typescript'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { costOf } from '../../../packages/cost/src/index.ts'
import { Catalog } from '../../../packages/cost/src/book.ts'
import * as by from './support/export-readers.ts'
import { newestFiles, priceDataDir, priceFile, priceInput, skipTitle } from './support/price-files.ts'
import { useDatabase } from './support/postgres.ts'
import { packageRoot } from '../src/platform/paths.ts'
import { runFeed } from '../src/ingest/run/run-feed.ts'
import { snapshotTexts } from '../src/snapshot/forms.ts'
import { withSnapshot } from '../src/snapshot/read-snapshot.ts'
import { readSourceText } from '../src/ingest/run/source-files.ts'
import { forms, formNames, type FormName } from '../src/exports/forms.ts'
import type { LossReport } from '../src/exports/report.ts'
import { readExportResources, writeExport, type ExportFile } from '../src/exports/write-exports.ts'

// Each export of the lists as published, loaded by the code of who reads it, or by its rule: what it refuses, and what it
// computes for the same requests as @ratecard/cost.

const addFormats = addFormatsModule as unknown as (ajv: Ajv | Ajv2020) => void

describe.skipIf(priceDataDir === undefined)(skipTitle('exports of the published lists'), () => {
  const database = useDatabase()
  const folder = mkdtempSync(join(tmpdir(), 'ratecard-exports-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const files = {} as Record<FormName, ExportFile>
  // The package keeps what it is given for all who ask it in this process, the feed among them.
  const shipped = waitForUpdate()
  afterAll(async () => {
    const data = await shipped
    updatePrices(({ setProviderData }) => setProviderData(data))
  })
  const parse = (name: FormName) => JSON.parse(String(files[name].content)) as never
  let catalog: Catalog
  beforeAll(async () => {
    for (const { source, path, at } of newestFiles)
      await runFeed(database.db, { source, input: priceInput(path), observedAt: at, alerts: null })
    const resources = await withSnapshot(database.db, null, readExportResources)
    for (const name of formNames) {
      const { upstream } = forms[name]
      const source = upstream === null ? null : await readSourceText(database.db, upstream)
      files[name] = writeExport(name, resources, source)
    }
    const snapshot = await withSnapshot(database.db, null, async (one) => {
      let text = ''
      for await (const part of snapshotTexts.json(one)) text += part
      return text
    })
    catalog = new Catalog(JSON.parse(snapshot) as never)
  }, 300_000)
  const consumer = (path: string) => readFileSync(join(priceDataDir!, 'consumers', path), 'utf8')

  test.each(formNames)('%s has resources, and its report counts what it lacks', (name) => {
    const { content, report } = files[name]
    const counts = Object.entries(report.losses).map(([loss, { count }]) => `${count} ${loss}`)
    const { rows, resources, held, upstream } = report
    console.log(
      JSON.stringify({ name, bytes: content.length, rows, resources, held, upstream, counts }, null, 1),
    )
    expect(held).toBeGreaterThan(1_000)
    for (const { count, of } of Object.values(report.losses)) {
      const parts = Object.values(of).map((whats) => Math.max(1, whats.length))
      expect(parts.reduce((sum, length) => sum + length, 0)).toBe(count)
    }
  })

  describe("LiteLLM's map", () => {
    type Row = Record<string, unknown>
    const upstream = () =>
      JSON.parse(priceFile('litellm/model_prices_2026-08-01.json')) as Record<string, Row>

    // BerriAI/litellm, litellm_core_utils/get_model_cost_map.py: MODEL_COST_MAP_MIN_MODEL_COUNT, MODEL_COST_MAP_MAX_SHRINK_RATIO.
    test('passes the check that LiteLLM makes before it takes a map', () => {
      const count = Object.keys(parse('litellm')).length
      expect(count).toBeGreaterThanOrEqual(50)
      expect(count).toBeGreaterThanOrEqual(Object.keys(upstream()).length * 0.5)
    })

    test('has every row of its own with all that is no price, in the same place', () => {
      const map: Record<string, Row> = parse('litellm')
      const isPrice = (field: string) => /(?:^|_)cost(?:_|$)/.test(field) || field === 'tiered_pricing'
      const rest = (row: Row) =>
        typeof row === 'object' ? Object.entries(row).filter(([field]) => !isPrice(field)) : row
      for (const [key, row] of Object.entries(upstream()))
        expect([key, rest(map[key]!)]).toEqual([key, rest(row)])
      const names = Object.entries(upstream()).filter(
        ([, { mode }]) => mode === 'chat' || mode === 'embedding',
      )
      expect(names.filter(([key]) => key in map)).toHaveLength(names.length)
      const moved = Object.entries(upstream()).filter(
        ([key, row]) => JSON.stringify(map[key]) !== JSON.stringify(row),
      )
      console.log(
        `${names.length} chat and embedding names are found; ${moved.length} rows have other prices`,
      )
    })
  })

  test("models.dev's own schema accepts what it accepts of its own file", async () => {
    // Its families are a list of its own, which is not here.
    const source = consumer('models.dev/schema.ts')
      .replace('from "zod"', 'from "zod/v3"')
      .replace(/import \{ ModelFamily \}.*/, 'const ModelFamily = z.string();')
    const { outputText } = ts.transpileModule(source, {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    })
    const path = join(packageRoot, 'node_modules', `.models-dev-${process.pid}.mjs`)
    writeFileSync(path, outputText)
    try {
      const { Model } = (await import(/* @vite-ignore */ path)) as {
        Model: { safeParse: (value: unknown) => { success: boolean } }
      }
      type Providers = Record<string, { models: Record<string, { cost?: unknown }> }>
      const refused = (file: Providers) =>
        Object.entries(file).flatMap(([name, { models }]) =>
          Object.entries(models).flatMap(([id, model]) =>
            Model.safeParse(model).success ? [] : [`${name}/${id}`],
          ),
        )
      const before = new Set(
        refused(JSON.parse(priceFile('models.dev/api_equivalent_2026-07-02.json')) as Providers),
      )
      const now = refused(parse('models.dev'))
      console.log(`${before.size} of its own models are refused, ${now.length} of ours`)
      expect(now.filter((id) => !before.has(id))).toEqual([])
    } finally {
      rmSync(path)
    }
  })

  test("LiteLLM's own schema has nothing against its map", () => {
    const ajv = new Ajv2020({ allErrors: true, strict: false })
    addFormats(ajv)
    const schema = JSON.parse(consumer('litellm/model_prices_and_context_window.schema.json')) as object
    ajv.validate(schema, parse('litellm'))
    expect(ajv.errors?.slice(0, 5) ?? []).toEqual([])
  })

  test("genai-prices' own schema of v2 has nothing against its file", () => {
    const ajv = new Ajv({ allErrors: false, strict: false })
    addFormats(ajv)
    ajv.validate(JSON.parse(consumer('genai-prices/v2_data.schema.json')) as object, parse('genai-prices'))
    expect(ajv.errors ?? []).toEqual([])
  })

  test("Langfuse's own check accepts its file", () => {
    const file = join(folder, 'langfuse.json')
    writeFileSync(file, files.langfuse.content)
    const names = ['gpt-4o', 'claude-sonnet-4-5-20250929', 'gemini-2.5-pro']
    const checked = names.flatMap((name) => ['--usage-key-model', name])
    const script = join(priceDataDir!, 'consumers/langfuse/validate-pricing-file.mjs')
    const said = execFileSync(process.execPath, [script, file, ...checked], { encoding: 'utf8' })
    expect(said).toContain(`Validated ${files.langfuse.report.rows} pricing entries`)
  })

  test('agentgateway and NeMo Relay refuse nothing', () => {
    expect(by.checkAgentgateway(parse('agentgateway'))).toEqual([])
    expect(by.checkNemoRelay(parse('nemo-relay'))).toEqual([])
  })

  test('Bifrost finds provider and kind in each row', () => {
    const rows = Object.values<{ provider: unknown; mode: unknown }>(parse('bifrost'))
    for (const { provider, mode } of rows)
      expect([typeof provider, typeof mode]).toEqual(['string', 'string'])
  })

  // Ten models and four ways to use each.
  const models = [
    ['openai', 'gpt-4o', 'openai'],
    ['openai', 'gpt-5', 'openai'],
    ['openai', 'gpt-4.1-mini', 'openai'],
    ['anthropic', 'claude-sonnet-4-5-20250929', 'anthropic'],
    ['anthropic', 'claude-opus-4-1-20250805', 'anthropic'],
    ['google', 'gemini-2.5-pro', 'gemini'],
    ['google', 'gemini-2.5-flash', 'gemini'],
    ['deepseek', 'deepseek-chat', 'deepseek'],
    ['xai', 'grok-4', 'xai'],
    ['mistral', 'mistral-large-latest', 'mistral'],
  ] as const
  const ways: by.Used[] = [
    { input: 1_000, cached: 0, written: 0, output: 500 },
    { input: 2_000, cached: 8_000, written: 0, output: 700 },
    { input: 250_000, cached: 50_000, written: 0, output: 1_000 },
    { input: 1_200, cached: 0, written: 0, output: 300, tier: 'batch' },
  ]

  const genaiProviders: Record<string, string> = { google: 'google', xai: 'x-ai', mistral: 'mistral' }
  const modelsDevProviders: Record<string, string> = {}
  type Consumer = (platform: string, model: string, litellm: string, used: by.Used) => number | null
  // Tables are for analysts: docs/duckdb.md has what they ask.
  const consumers = (): Record<Exclude<FormName, 'parquet' | 'table-csv' | 'table-sqlite'>, Consumer> => {
    const read = Object.fromEntries(
      formNames.filter((name) => forms[name].file.endsWith('.json')).map((name) => [name, parse(name)]),
    ) as Record<FormName, never>
    const sheet = by.readFocus(String(files.focus.content))
    updatePrices(({ setProviderData }) => setProviderData(read['genai-prices']))
    return {
      litellm: (_, model, litellm, used) =>
        by.costByLitellm(read.litellm, model in read.litellm ? model : `${litellm}/${model}`, used),
      'genai-prices': (platform, model, _, { input, cached, written, output }) =>
        calcPrice(
          {
            input_tokens: input + cached + written,
            cache_read_tokens: cached,
            cache_write_tokens: written,
            output_tokens: output,
          },
          model,
          { providerId: genaiProviders[platform] ?? platform },
        )?.total_price ?? null,
      'models.dev': (platform, model, _, used) =>
        by.costByModelsDev(
          read['models.dev'],
          { provider: modelsDevProviders[platform] ?? platform, model },
          used,
        ),
      bifrost: (_, model, provider, used) => by.costByBifrost(read.bifrost, { provider, model }, used),
      agentgateway: (platform, model, _, used) =>
        by.costByAgentgateway(
          read.agentgateway,
          { provider: platform === 'google' ? 'gcp.gemini' : platform, model },
          used,
        ),
      openlit: (_, model, __, used) => by.costByOpenlit(read.openlit, model, used),
      langfuse: (_, model, __, used) => by.costByLangfuse(read.langfuse, model, used),
      'nemo-relay': (platform, model, _, used) =>
        by.costByNemoRelay(read['nemo-relay'], { provider: platform, model }, used),
      focus: (platform, model, _, used) => by.costByFocus(sheet, `${platform}:${model}`, used),
      'new-api': (_, model, __, used) => by.costByNewApi(read['new-api'], model, used),
    }
  }

  test('each computes the same as @ratecard/cost, but for what its report names', () => {
    const found = consumers()
    const lines: string[] = []
    const faults: string[] = []
    for (const [name, price] of Object.entries(found) as [FormName, Consumer][]) {
      const tally = { equal: 0, named: 0, unknown: 0 }
      for (const [platform, model, litellm] of models)
        for (const used of ways) {
          const { total, unpriced } = costOf(
            {
              counts: {
                input_tokens: used.input,
                cached_input_tokens: used.cached,
                cache_write_tokens: used.written,
                output_tokens: used.output,
              },
              ...(used.tier !== undefined && { tier: used.tier }),
            },
            { catalog, model: `${platform}:${model}` },
          )
          const theirs = price(platform, model, litellm, used)
          const isEqual =
            total !== null &&
            theirs !== null &&
            Math.abs(theirs - Number(total)) <= 1e-12 * Math.max(1, Number(total))
          const isNamed = named(files[name].report, `${platform}:${model}`, used)
          const where = `${name} ${platform}:${model} ${JSON.stringify(used)}: ours ${total}, theirs ${theirs}`
          if (total === null) tally.unknown += 1
          else if (isEqual && !isNamed) tally.equal += 1
          else if (!isEqual && isNamed) tally.named += 1
          else faults.push(`${isNamed ? 'named in vain' : 'not named'}: ${where} ${JSON.stringify(unpriced)}`)
        }
      // Where ours says unknown, theirs is some number, and the report says so.
      if (name !== 'focus') expect(files[name].report.notes[0]).toContain('does not know unknown from free')
      lines.push(`${name}: ${JSON.stringify(tally)}`)
    }
    console.log(lines.join('\n'))
    expect(faults).toEqual([])
  })
})

/** Whether the report names what this request would pay. */
function named({ losses }: LossReport, resourceId: string, used: by.Used): boolean {
  const counts: Record<string, number> = {
    input_tokens: used.input,
    cached_input_tokens: used.cached,
    cache_write_tokens: used.written,
    output_tokens: used.output,
  }
  const context = used.input + used.cached + used.written
  return Object.values(losses).some(({ of }) => {
    const parts = of[resourceId]
    if (parts === undefined) return false
    if (parts.length === 0) return true
    return parts.some((part) => {
      const [meter = '', ...conditions] = part.split(', ')
      if (!(counts[meter]! > 0)) return false
      return (
        conditions.every((condition) => {
          const [, above] = /^above (\d+)$/.exec(condition) ?? []
          return above === undefined ? condition === used.tier : context > Number(above)
        }) &&
        (used.tier === undefined || conditions.includes(used.tier))
      )
    })
  })
}
