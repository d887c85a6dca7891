import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { run } from '../src/cli/run.ts'
import { record, snapshotOf, sonnet } from './support.ts'

let folder = ''
const file = (name: string) => join(folder, name)
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ratecard-cost-cli-'))
  const prices = snapshotOf([
    sonnet,
    record({ resource_id: 'openai:gpt-4o', input_per_mtok: '2.5', output_per_mtok: '10' }),
  ])
  const usage = { input_tokens: 1_000, output_tokens: 100 }
  const message = { type: 'message', model: 'claude-sonnet-4-5', usage }
  const texts: Record<string, string> = {
    'prices.json': JSON.stringify(prices),
    'one.json': JSON.stringify(message),
    'lines.jsonl': `${JSON.stringify(message)}\n\n${JSON.stringify(message)}\n`,
    'broken.jsonl': `${JSON.stringify(message)}\n{"a":\n`,
    'open.json': JSON.stringify([{ counts: { output_audio_tokens: 5 }, model: 'claude\u001b[2Jsonnet' }]),
    'nobody.json': '{"usage":{"tokens_of_somebody":1}}',
    'own.json': '{"prompt_tokens":1000,"completion_tokens":100}',
    'overrides.json': '{"models":{"my-llama":{"rates":{"input_tokens":1,"output_tokens":2}}}}',
    'bad.json': '{"models":{"my-llama":{"rates":{"input_tokens":"much"}}}}',
    'written.json': '{"input_tokens":1,"output_tokens":1,"cache_creation_input_tokens":1000}',
    'empty.json': '[]',
    'right.json': JSON.stringify({
      'gpt-4o': { litellm_provider: 'openai', input_cost_per_token: 2.5e-6, output_cost_per_token: 1e-5 },
    }),
    'wrong.json': JSON.stringify({
      sample_spec: { litellm_provider: 'x' },
      'gpt-4o': { litellm_provider: 'openai', input_cost_per_token: 2.4e-6 },
      'gpt-99': { litellm_provider: 'openai', input_cost_per_token: 1 },
    }),
    'regions.json': JSON.stringify({
      'bedrock/eu-west-3/mistral.mistral-large-2402-v1:0': {
        litellm_provider: 'bedrock',
        input_cost_per_token: 10.4e-6,
      },
      'bedrock/us-gov-west-1/amazon.nova-pro-v1:0': {
        litellm_provider: 'bedrock',
        input_cost_per_token: 0.96e-6,
      },
      'bedrock/us-east-1/amazon.nova-pro-v1:0': { litellm_provider: 'bedrock', input_cost_per_token: 0.9e-6 },
    }),
    'foreign.json': '{"a":1}',
  }
  for (const [name, text] of Object.entries(texts)) await writeFile(file(name), text)
})
afterAll(() => rm(folder, { recursive: true }))

async function said(...words: string[]) {
  const text = { out: '', err: '' }
  const code = await run(
    words.map((word) => word.replace(/^@/, `${folder}/`)),
    { out: (part) => (text.out += part), err: (part) => (text.err += part) },
    '1.2.3',
  )
  return { code, ...text }
}

const catalog = ['--catalog', '@prices.json']

describe('ratecard-cost', () => {
  test.each<[string[], number, RegExp]>([
    [
      ['explain', 'claude-sonnet-4-5[1m]', ...catalog],
      0,
      /by spelling[\s\S]*cache_write_tokens +6 +1m_tokens +1h[\s\S]*all prices +1.1 +times +us[\s\S]*Catalog 42 \(file\)/,
    ],
    [['explain', 'gpt-4o'], 0, /^openai:gpt-4o, by platform id[\s\S]*input_tokens +2.5 +1m_tokens/],
    [['--version'], 0, /^1\.2\.3\n$/],
    [
      ['cost', '--usage', '@own.json', '--model', 'my-llama', '--overrides', '@overrides.json'],
      0,
      /^my-llama[\s\S]*Total: 0.0012 USD/,
    ],
    [
      ['cost', '--usage', '@written.json', '--model', 'claude-sonnet-4-5', ...catalog],
      1,
      /cache_write_tokens \(unknown\)[\s\S]*give --cache-ttl/,
    ],
    [
      ['cost', '--usage', '@written.json', '--model', 'claude-sonnet-4-5', '--cache-ttl', '1h', ...catalog],
      0,
      /Total: 0.006018 USD/,
    ],
    [['explain', 'gpt-4', ...catalog], 1, /knows no model "gpt-4"[\s\S]*openai:gpt-4o/],
    [['explain', 'gpt-4o-2024-08-06', '--platform', 'openai'], 0, /openai:gpt-4o, by alias[\s\S]*shipped/],
    [
      ['cost', '--usage', '@one.json', ...catalog],
      0,
      /input_tokens +1000 +3 per 1m_tokens +0.003[\s\S]*Total: 0.0045 USD/,
    ],
    [['cost', '--usage', '@lines.jsonl', '--tier', 'batch', ...catalog], 0, /Total of 2: 0.0045 USD/],
    [
      ['cost', '--usage', '@open.json', '--model', 'claude-sonnet-4-5', ...catalog],
      1,
      /output_audio_tokens +5 +no rate +unknown[\s\S]*Total: 0 USD, and what has no price/,
    ],
    [['drift', '@right.json', ...catalog], 0, /1 models compared, 0 amounts wrong/],
    [
      ['drift', '@wrong.json', ...catalog],
      1,
      /gpt-4o +input_per_mtok +2.4 +2.5\n1 models compared, 1 amounts wrong, 1 models unknown/,
    ],
    [
      ['drift', '@regions.json'],
      1,
      /us-east-1\S+ +input_per_mtok +0.9 +0.8\n1 models compared, 1 amounts wrong, 2 models unknown/,
    ],
    [
      ['explain', 'bedrock/eu-west-3/mistral.mistral-large-2402-v1:0'],
      1,
      /no price for the region "eu-west-3"\. Elsewhere/,
    ],
    [
      ['explain', 'projects/p/locations/us-east5/publishers/anthropic/models/claude-sonnet-4-5@20250929'],
      0,
      /In the region "us-east5": input_per_mtok 3.3, output_per_mtok 16.5/,
    ],
    [['drift', '@prices.json', ...catalog], 0, /2 models compared, 0 amounts wrong/],
    [['--help'], 0, /Exit codes/],
  ])('%j', async (words, code, expected) => {
    const result = await said(...words)
    expect(result).toMatchObject({ code, err: '' })
    expect(result.out).toMatch(expected)
  })

  test.each<[string[], RegExp]>([
    [['explain'], /Name a model/],
    [['explain', 'a', 'b'], /"b" is another/],
    [['invoice'], /no command "invoice"/],
    [['toString'], /no command/],
    [['cost'], /--usage FILE/],
    [['cost', '--usage', '@broken.jsonl'], /Line 2 of .*broken.jsonl is no JSON/],
    [['cost', '--usage', '@empty.json'], /has no usage/],
    [
      ['cost', '--usage', '@own.json', '--model', 'my-llama', '--overrides', '@bad.json'],
      /overrides\.models\["my-llama"\]\.rates\.input_tokens: "much" is no amount/,
    ],
    [['cost', '--usage', '@nobody.json'], /Usage 1 .*Name the --reader/],
    [['cost', '--usage', '@none.json'], /cannot be read \(ENOENT\)/],
    [['cost', '--usage', '@one.json', '--at', 'noon'], /no time/],
    [['drift', '@foreign.json'], /neither LiteLLM's map nor a snapshot/],
    [['explain', 'a', '--catalog', '@foreign.json'], /no snapshot of Ratecard/],
    [['explain', 'a', '--colour'], /--colour/],
  ])('%j is not understood', async (words, expected) => {
    const result = await said(...words)
    expect(result).toMatchObject({ code: 2, out: '' })
    expect(result.err).toMatch(expected)
  })

  it('prints one document with --json', async () => {
    const { out } = await said('cost', '--usage', '@one.json', '--json', ...catalog)
    expect(JSON.parse(out)).toMatchObject({
      costs: [{ total: '0.0045' }],
      sums: [{ currency: 'USD', total: '0.0045' }],
    })
    expect(JSON.parse((await said('explain', 'gpt-4o', '--json', ...catalog)).out)).toMatchObject({
      rule: 'platform_id',
    })
    expect(JSON.parse((await said('drift', '@wrong.json', '--json', ...catalog)).out)).toMatchObject({
      unknown: ['gpt-99'],
    })
  })

  it('moves no cursor by the name of a stranger', async () => {
    const { out } = await said('cost', '--usage', '@open.json', ...catalog)
    expect(out).toContain('claude�[2Jsonnet')
    expect(out).not.toContain('\u001b')
  })
})
