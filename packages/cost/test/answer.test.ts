import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, test } from 'vitest'
import * as core from '../src/core.ts'
import { costOf, shippedCatalog, UsageError } from '../src/index.ts'
import { readAzure, readCohere, readerNames, readGroq, readPerplexity, readTogether } from '../src/readers.ts'
import * as readers from '../src/readers.ts'
import { run } from '../src/cli/run.ts'
import { catalogOf, record, sonnet } from './support.ts'

// One call for whatever a vendor answers. Totals are the shipped rates times the counts, by hand.

const chat = { prompt_tokens: 1_000, completion_tokens: 100 }

describe('costOf prices an answer as it is', () => {
  test.each<[string, unknown, string, string]>([
    ['OpenAI chat', { model: 'gpt-4o-2024-08-06', service_tier: 'default', usage: chat }, 'openai', '0.0035'],
    [
      'OpenAI responses',
      {
        model: 'gpt-4o',
        usage: {
          input_tokens: 1_000,
          input_tokens_details: { cached_tokens: 600 },
          output_tokens: 100,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: 1_100,
        },
      },
      'openai',
      // 400 at 2.5, 600 at 1.25, 100 at 10.
      '0.00275',
    ],
    [
      'Anthropic',
      {
        type: 'message',
        model: 'claude-sonnet-4-5-20250929',
        stop_reason: 'end_turn',
        usage: { input_tokens: 1_000, output_tokens: 100 },
      },
      'anthropic',
      '0.0045',
    ],
    [
      'Gemini',
      {
        modelVersion: 'gemini-2.5-pro',
        usageMetadata: { promptTokenCount: 1_000, candidatesTokenCount: 100, totalTokenCount: 1_100 },
      },
      'google',
      '0.00225',
    ],
    [
      "Gemini, from Google's older SDK",
      {
        response: {
          modelVersion: 'gemini-2.5-pro',
          usageMetadata: { promptTokenCount: 1_000, candidatesTokenCount: 100, totalTokenCount: 1_100 },
        },
      },
      'google',
      '0.00225',
    ],
    [
      'Mistral',
      { object: 'chat.completion', model: 'mistral-large-2512', usage: chat },
      'mistral',
      '0.00065',
    ],
  ])('%s', (_, answer, platform, total) => {
    const cost = costOf(answer)
    expect(cost.total).toBe(total)
    expect(cost.resourceId).toMatch(new RegExp(`^${platform}:`))
    expect(cost.catalog.origin).toBe('shipped')
  })

  test.each<[string, unknown, object, string]>([
    ['Bedrock', { inputTokens: 1_000, outputTokens: 100 }, { platform: 'bedrock' }, 'bedrock'],
    ['the AI SDK', { inputTokens: 1_000, outputTokens: 100, totalTokens: 1_100 }, {}, 'anthropic'],
    ['chat, of no platform', chat, {}, 'anthropic'],
    [
      'chat, of a platform',
      { usage: { ...chat, total_tokens: 1_100 } },
      { platform: 'openrouter' },
      'openrouter',
    ],
    ['input and output', { input_tokens: 1_000, output_tokens: 100 }, {}, 'anthropic'],
    [
      'input, output, total',
      { input_tokens: 1_000, output_tokens: 100, total_tokens: 1_100 },
      {},
      'anthropic',
    ],
    ['a usage that is read', { counts: { input_tokens: 1_000, output_tokens: 100 } }, {}, 'anthropic'],
  ])('counts alone, of %s', (_, usage, told, platform) => {
    const names: Record<string, string> = {
      bedrock: 'anthropic.claude-3-5-sonnet-20240620-v1:0',
      openrouter: 'anthropic/claude-sonnet-4.5',
    }
    const cost = costOf(usage, { model: names[platform] ?? 'claude-sonnet-4-5', ...told })
    expect([cost.total, cost.resourceId?.split(':')[0]]).toEqual(['0.0045', platform])
  })

  it('says that it took the maker for the platform, and refuses a name of several', () => {
    expect(costOf(chat, { model: 'gpt-4o' })).toMatchObject({ total: '0.0035', doubts: ['platform_assumed'] })
    expect(costOf(chat, { model: 'gpt-4o', platform: 'openai' })).toMatchObject({ doubts: [] })
    const catalog = catalogOf(
      record({ resource_id: 'groq:llama-9', vendor: 'meta', input_per_mtok: '1', output_per_mtok: '2' }),
      record({ resource_id: 'together:llama-9', vendor: 'meta', input_per_mtok: '3', output_per_mtok: '4' }),
    )
    const cost = costOf(chat, { catalog, model: 'llama-9' })
    expect(cost.unpriced[0]?.message).toContain('"platform" or "region"')
    expect(costOf(chat, { catalog, model: 'llama-9', platform: 'groq' }).total).toBe('0.0012')
  })

  it('takes a catalog, and how to read', () => {
    const written = { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 1_000 }
    const told = { catalog: catalogOf(sonnet), model: 'claude-sonnet-4-5' }
    expect(costOf(written, { ...told, cacheTtl: '1h' }).total).toBe('0.006018')
    expect(costOf(chat, { ...told, reader: 'openai' }).total).toBe('0.0045')
  })

  it('is the same as the core with the same catalog', () => {
    const catalog = shippedCatalog()
    const usage = { counts: { input_tokens: 7, output_tokens: 3 }, model: 'gpt-4o' }
    expect(costOf(usage, { catalog }).lines).toEqual(core.costOf(usage, { catalog }).lines)
    expect(() => core.costOf(chat as never, { catalog })).toThrow(/@ratecard\/cost\/readers/)
  })

  it('does not price what a vendor counts in a form of others', () => {
    // Reasoning apart from the completion, as xAI counts it, in OpenAI's form.
    const apart = { prompt_tokens: 5, completion_tokens: 1, total_tokens: 99 }
    expect(() => costOf(apart, { model: 'grok-4' })).toThrow(/"reader"/)
    expect(costOf({ ...chat, new_tokens: 5 }, { model: 'gpt-4o' }).unpriced).toMatchObject([
      { meter: 'usage.new_tokens', reason: 'unknown_count' },
    ])
  })
})

describe('readers by the names of who answers', () => {
  it('Azure, Groq, Perplexity and Together answer as OpenAI does, and are paid', () => {
    const named = { azure: readAzure, groq: readGroq, perplexity: readPerplexity, together: readTogether }
    for (const [platform, read] of Object.entries(named))
      expect(read({ model: 'm', usage: chat })).toEqual({
        counts: { input_tokens: 1_000, output_tokens: 100 },
        model: 'm',
        platform,
      })
  })

  it.each([
    [
      'version 2',
      {
        usage: {
          billed_units: { input_tokens: 5, output_tokens: 7 },
          tokens: { input_tokens: 71, output_tokens: 7 },
        },
      },
    ],
    [
      'version 1',
      {
        meta: {
          api_version: { version: '1' },
          billed_units: { input_tokens: 5, output_tokens: 7 },
          tokens: { input_tokens: 71 },
        },
      },
    ],
  ])('Cohere, %s: what is billed, and not what its own prompts have', (_, answer) => {
    expect(readCohere(answer)).toEqual({ counts: { input_tokens: 5, output_tokens: 7 }, platform: 'cohere' })
    expect(costOf(answer, { model: 'command-r-plus' }).resourceId).toMatch(/^cohere:/)
  })

  it('are spelled as vendors spell themselves, and the old spellings stay until 2.0', () => {
    const all = readers as unknown as Record<string, unknown>
    const spelled: Record<string, string> = {
      readOpenAi: 'readOpenAI',
      readXai: 'readXAI',
      readLiteLlm: 'readLiteLLM',
      readAiSdk: 'readAISDK',
    }
    for (const [old, name] of Object.entries(spelled)) expect(all[old]).toBe(all[name])
    const functions = Object.keys(all).filter((name) => /^read[A-Z]/.test(name) && !(name in spelled))
    const bare = (name: string) => name.replace(/^read|-/g, '').toLowerCase()
    expect(
      functions
        .filter((name) => name !== 'readUsage')
        .map(bare)
        .sort(),
    ).toEqual(readerNames.map(bare).sort())
  })
})

describe('what cannot be read is told what to do', () => {
  const chunk = { object: 'chat.completion.chunk', choices: [], usage: null }
  test.each<[string, unknown, RegExp]>([
    ['a chunk of OpenAI', chunk, /stream_options: \{ include_usage: true \}/],
    ['an event of OpenAI', { type: 'response.created', response: { usage: null } }, /response\.completed/],
    [
      'the beginning of a stream of Anthropic',
      { type: 'message_start', message: { type: 'message', usage: { input_tokens: 9, output_tokens: 1 } } },
      /message_delta/,
    ],
    [
      'its message, as it was when it began',
      { type: 'message', stop_reason: null, usage: { input_tokens: 9, output_tokens: 1 } },
      /message_delta/,
    ],
    [
      'its end, which has the output alone',
      { type: 'message_delta', usage: { output_tokens: 9 } },
      /message_start/,
    ],
    ['text', '{"usage":{}}', /This is text/],
    ['nothing', undefined, /Name the "reader": ai-sdk, anthropic/],
    ['an object of nobody', { a: 1 }, /Name the "reader"/],
  ])('%s', (_, answer, message) => {
    expect(() => costOf(answer)).toThrow(UsageError)
    expect(() => costOf(answer)).toThrow(message)
  })

  it('both usages of a stream of Anthropic together are one', () => {
    const start = { input_tokens: 1_000, cache_read_input_tokens: 0, output_tokens: 1 }
    const usage = { ...start, ...{ output_tokens: 100 } }
    expect(costOf(usage, { model: 'claude-sonnet-4-5' }).total).toBe('0.0045')
  })

  it.each<[string[], string, RegExp]>([
    [[], JSON.stringify(chunk), /include_usage/],
    [[], '{"a":1}', /Name the --reader: ai-sdk/],
    [['--reader', 'anthropic'], JSON.stringify(chat), /take the --reader openai/],
    [['--reader', 'nobody'], JSON.stringify(chat), /no such --reader/],
  ])('the command line names its own options: %j', async (words, text, message) => {
    const folder = await mkdtemp(join(tmpdir(), 'ratecard-cost-answer-'))
    const path = join(folder, 'usage.json')
    await writeFile(path, text)
    let said = ''
    const code = await run(
      ['cost', '--usage', path, ...words],
      { out: () => {}, err: (part) => (said += part) },
      '1.2.3',
    )
    await rm(folder, { recursive: true })
    expect(code).toBe(2)
    expect(said).toMatch(message)
    expect(said).not.toMatch(/read[A-Z]/)
  })
})
