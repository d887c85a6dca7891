import * as ai7 from 'ai'
import * as mock7 from 'ai/test'
import * as ai5 from 'ai5'
import * as mock5 from 'ai5/test'
import * as ai6 from 'ai6'
import * as mock6 from 'ai6/test'
import { describe, expect, it, test, vi } from 'vitest'
import { costMiddleware, type CostMiddlewareOptions } from '../src/ai.ts'
import type { Cost } from '../src/index.ts'
import { catalogOf, record, sonnet } from './support.ts'

const catalog = catalogOf(
  sonnet,
  record({
    resource_id: 'openai:gpt-4o',
    input_per_mtok: '2.5',
    output_per_mtok: '10',
    cached_input_per_mtok: '1.25',
  }),
  record({ resource_id: 'openai:text-embedding-3-small', input_per_mtok: '0.02' }),
)

const told = (options: Partial<CostMiddlewareOptions> = {}) => {
  const costs: Cost[] = []
  const errors: Error[] = []
  const middleware = costMiddleware({
    catalog,
    onCost: (cost) => costs.push(cost),
    onError: (error) => errors.push(error as Error),
    ...options,
  })
  return { costs, errors, middleware }
}

interface Counts {
  input: number
  cacheRead: number
  cacheWrite?: number
  output: number
  raw?: Record<string, never>
}

const openai = { provider: 'openai.responses', modelId: 'gpt-4o' }
const anthropic = { provider: 'anthropic.messages', modelId: 'claude-sonnet-4-5' }
const ttls = { cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 } }

const usage2 = ({ input, cacheRead, output }: Counts) => ({
  inputTokens: input,
  outputTokens: output,
  totalTokens: input + output,
  cachedInputTokens: cacheRead,
})
const usage3 = ({ input, cacheRead, cacheWrite = 0, output, raw }: Counts) => ({
  inputTokens: { total: input, noCache: input - cacheRead - cacheWrite, cacheRead, cacheWrite },
  outputTokens: { total: output, text: output, reasoning: 0 },
  ...(raw && { raw }),
})
const content = [{ type: 'text' as const, text: 'Hello' }]
const finish3 = { unified: 'stop' as const, raw: 'stop' }

/** Each version of the SDK: a call of a model that counts so, and a stream of it. */
const versions = {
  'version 5': (model: typeof openai, counts: Counts, options?: Partial<CostMiddlewareOptions>) => {
    const seen = told(options)
    const usage = usage2(counts)
    const mock = new mock5.MockLanguageModelV2({
      ...model,
      doGenerate: { content, finishReason: 'stop', usage, warnings: [] },
      doStream: () =>
        Promise.resolve({
          stream: mock5.simulateReadableStream({
            chunks: [
              { type: 'response-metadata', modelId: model.modelId, timestamp: new Date() },
              { type: 'text-start', id: '1' },
              { type: 'text-delta', id: '1', delta: 'Hello' },
              { type: 'text-end', id: '1' },
              { type: 'finish', finishReason: 'stop', usage },
            ],
          }),
        }),
    })
    const wrapped = ai5.wrapLanguageModel({ model: mock, middleware: seen.middleware })
    return {
      ...seen,
      generate: () => ai5.generateText({ model: wrapped, prompt: 'Hi' }),
      stream: () => ai5.streamText({ model: wrapped, prompt: 'Hi' }),
    }
  },
  'version 6': (model: typeof openai, counts: Counts, options?: Partial<CostMiddlewareOptions>) => {
    const seen = told(options)
    const usage = usage3(counts)
    const mock = new mock6.MockLanguageModelV3({
      ...model,
      doGenerate: { content, finishReason: finish3, usage, warnings: [] },
      doStream: () =>
        Promise.resolve({ stream: mock6.simulateReadableStream({ chunks: chunks(model.modelId, usage) }) }),
    })
    const wrapped = ai6.wrapLanguageModel({ model: mock, middleware: seen.middleware })
    return {
      ...seen,
      generate: () => ai6.generateText({ model: wrapped, prompt: 'Hi' }),
      stream: () => ai6.streamText({ model: wrapped, prompt: 'Hi' }),
    }
  },
  'version 7': (model: typeof openai, counts: Counts, options?: Partial<CostMiddlewareOptions>) => {
    const seen = told(options)
    const usage = usage3(counts)
    const mock = new mock7.MockLanguageModelV4({
      ...model,
      doGenerate: { content, finishReason: finish3, usage, warnings: [] },
      doStream: () =>
        Promise.resolve({ stream: mock7.simulateReadableStream({ chunks: chunks(model.modelId, usage) }) }),
    })
    const wrapped = ai7.wrapLanguageModel({ model: mock, middleware: seen.middleware })
    return {
      ...seen,
      generate: () => ai7.generateText({ model: wrapped, prompt: 'Hi' }),
      stream: () => ai7.streamText({ model: wrapped, prompt: 'Hi' }),
    }
  },
}

function chunks(modelId: string, usage: ReturnType<typeof usage3>) {
  return [
    { type: 'response-metadata' as const, modelId, timestamp: new Date() },
    { type: 'text-start' as const, id: '1' },
    { type: 'text-delta' as const, id: '1', delta: 'Hello' },
    { type: 'text-end' as const, id: '1' },
    { type: 'finish' as const, finishReason: finish3, usage },
  ]
}

describe.each(Object.entries(versions))('%s of the AI SDK', (version, open) => {
  const counts = { input: 1_500, cacheRead: 1_000, output: 20 }

  it('tells what a call cost, and notes it in the metadata', async () => {
    const { generate, costs, errors } = open(openai, counts)
    const { text, providerMetadata } = await generate()
    expect(text).toBe('Hello')
    expect(costs.map(({ total, resourceId }) => [total, resourceId])).toEqual([['0.0027', 'openai:gpt-4o']])
    expect(providerMetadata).toMatchObject({ ratecard: { total: '0.0027', currency: 'USD', unpriced: [] } })
    expect(errors).toEqual([])
  })

  it('tells what a stream cost when it ends', async () => {
    const { stream, costs } = open(openai, counts)
    const result = stream()
    expect(await result.text).toBe('Hello')
    expect(costs.map(({ total }) => total)).toEqual(['0.0027'])
    expect(await result.providerMetadata).toMatchObject({ ratecard: { total: '0.0027' } })
  })

  it("counts Anthropic's cached tokens once", async () => {
    // Version 5 passes on Anthropic's input, which is without them.
    const input = version === 'version 5' ? 500 : 1_500
    const { generate, costs } = open(anthropic, { ...counts, input })
    await generate()
    expect(costs.map(({ total }) => total)).toEqual(['0.0021'])
  })

  it('says so where nothing has a price', async () => {
    const { generate, costs } = open({ ...openai, modelId: 'gpt-nobody-knows' }, counts)
    const { providerMetadata } = await generate()
    expect(costs).toMatchObject([{ isWhole: false, total: null }])
    expect(providerMetadata).toMatchObject({ ratecard: { total: null, atLeast: '0' } })
  })

  it('throws nothing into the program', async () => {
    const onError = vi.fn(() => Promise.reject(new Error('later')))
    const onCost = () => {
      throw new Error('mine')
    }
    const { generate } = open(openai, counts, { onCost, onError })
    expect((await generate()).text).toBe('Hello')
    expect(onError).toHaveBeenCalledOnce()
    const async = open(openai, counts, { onCost: () => Promise.reject(new Error('mine')), onError })
    expect((await async.generate()).text).toBe('Hello')
    expect(onError).toHaveBeenCalledTimes(2)
  })
})

test('writes to a cache are paid by their time to live, and searches as searches', async () => {
  const raw = { ...ttls, server_tool_use: { web_search_requests: 2 }, service_tier: 'standard' } as never
  const { generate, costs } = versions['version 7'](anthropic, {
    input: 1_500,
    cacheRead: 1_000,
    cacheWrite: 300,
    output: 20,
    raw,
  })
  await generate()
  expect(costs.map(({ total }) => total)).toEqual(['0.022775'])
})

test('a stream that is cut off has no cost, and the program is told', async () => {
  const { middleware, costs, errors } = told()
  const parts = [
    { type: 'text-delta', delta: 'Hel' },
    { type: 'text-delta', delta: 'lo' },
  ]
  const source = () => mock7.simulateReadableStream({ chunks: parts })
  const wrap = (stream: ReadableStream) =>
    middleware.wrapStream({ doStream: () => Promise.resolve({ stream }), model: openai })
  const read = async (stream: ReadableStream) => {
    for await (const part of stream) if ((part as { delta: string }).delta === 'lo') break
  }
  await read((await wrap(source())).stream)
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('before it told its usage')])
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error('reset')) })
  await expect(read((await wrap(broken)).stream)).rejects.toThrow('reset')
  const ended = await wrap(new ReadableStream({ start: (controller) => controller.close() }))
  await read(ended.stream)
  expect(errors).toHaveLength(3)
  expect(costs).toEqual([])
})

test('a provider that reports no counts is told of, and costs nothing that anybody knows', async () => {
  const { middleware, errors } = told()
  const answer = {
    content,
    usage: { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined },
  }
  const result = await middleware.wrapGenerate({ doGenerate: () => Promise.resolve(answer), model: openai })
  expect(result).toMatchObject({ content, providerMetadata: { ratecard: { total: null } } })
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('did not report')])
})

test('a call that fails fails as it did', async () => {
  const { middleware, costs, errors } = told()
  const failing = () => Promise.reject(new Error('429'))
  await expect(middleware.wrapGenerate({ doGenerate: failing, model: openai })).rejects.toThrow('429')
  expect([costs, errors]).toEqual([[], []])
})

test('models of embeddings, versions 6 and 7', async () => {
  const model = { provider: 'openai.embedding', modelId: 'text-embedding-3-small' }
  const result = { embeddings: [[1, 2]], usage: { tokens: 1_000_000 }, warnings: [] }
  const six = told()
  const mock = new mock6.MockEmbeddingModelV3({ ...model, doEmbed: result })
  await ai6.embed({ model: ai6.wrapEmbeddingModel({ model: mock, middleware: six.middleware }), value: 'Hi' })
  expect(six.costs.map(({ total }) => total)).toEqual(['0.02'])
  const seven = told()
  const newer = new mock7.MockEmbeddingModelV4({ ...model, doEmbed: result })
  await ai7.embed({
    model: ai7.wrapEmbeddingModel({ model: newer, middleware: seven.middleware }),
    value: 'Hi',
  })
  expect(seven.costs.map(({ total }) => total)).toEqual(['0.02'])
})
