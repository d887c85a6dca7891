import type { Attributes, TracerProvider as Provider } from '@opentelemetry/api'
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer'
import {
  BatchSpanProcessor,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import { generateText } from 'ai6'
import { MockLanguageModelV3 } from 'ai6/test'
import * as sdk1 from 'otel-sdk-1'
import * as sdk2 from 'otel-sdk-2'
import { describe, expect, it, test } from 'vitest'
import { costSpanProcessor, type CostSpanOptions } from '../src/opentelemetry.ts'
import { catalogOf, record, sonnet } from './support.ts'

const gpt = record({
  resource_id: 'openai:gpt-4o',
  input_per_mtok: '2.5',
  output_per_mtok: '10',
  cached_input_per_mtok: '1.25',
})
const catalog = catalogOf(sonnet, gpt)

const chat: Attributes = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.provider.name': 'openai',
  'gen_ai.response.model': 'gpt-4o',
  'gen_ai.usage.input_tokens': 1_500,
  'gen_ai.usage.cache_read.input_tokens': 1_000,
  'gen_ai.usage.output_tokens': 20,
}
const claude: Attributes = {
  'gen_ai.system': 'anthropic',
  'gen_ai.response.model': 'claude-sonnet-4-5',
  'gen_ai.usage.input_tokens': 1_500,
  'gen_ai.usage.output_tokens': 20,
}

interface Exporter {
  getFinishedSpans(): readonly { attributes: Attributes }[]
}

/** Each version of the SDK as a program sets it up: the cost beside the exporting processor, or around it. */
const sdks: Record<string, (options: CostSpanOptions) => { provider: Provider; exporter: Exporter }> = {
  'version 3, beside': (options) => {
    const exporter = new InMemorySpanExporter()
    // After the exporting one: all processors see it all the same.
    const spanProcessors = [new SimpleSpanProcessor({ exporter }), costSpanProcessor(options)]
    return { exporter, provider: new TracerProvider({ spanProcessors }) }
  },
  'version 3, around': (options) => {
    const exporter = new InMemorySpanExporter()
    const next = new SimpleSpanProcessor({ exporter })
    return {
      exporter,
      provider: new TracerProvider({ spanProcessors: [costSpanProcessor({ ...options, next })] }),
    }
  },
  'version 2, beside': (options) => {
    const exporter = new sdk2.InMemorySpanExporter()
    const spanProcessors = [costSpanProcessor(options), new sdk2.SimpleSpanProcessor(exporter)]
    return { exporter, provider: new sdk2.BasicTracerProvider({ spanProcessors }) }
  },
  'version 1, around': (options) => {
    const exporter = new sdk1.InMemorySpanExporter()
    const next = new sdk1.SimpleSpanProcessor(exporter)
    return {
      exporter,
      provider: new sdk1.BasicTracerProvider({ spanProcessors: [costSpanProcessor({ ...options, next })] }),
    }
  },
}

/** The attributes of a span, as the SDK exports it. */
function exported(
  set: (typeof sdks)[string],
  attributes: Attributes,
  options: Partial<CostSpanOptions> = {},
): Attributes {
  const { provider, exporter } = set({ catalog, ...options })
  const span = provider.getTracer('test').startSpan('call', { attributes: { 'gen_ai.system': 'x' } })
  span.setAttributes(attributes)
  span.end()
  return exporter.getFinishedSpans()[0]!.attributes
}

const newest = (attributes: Attributes, options?: Partial<CostSpanOptions>) =>
  exported(sdks['version 3, beside']!, attributes, options)

describe.each(Object.entries(sdks))('%s', (_, sdk) => {
  it('writes what a whole cost is', () => {
    expect(exported(sdk, chat)).toMatchObject({
      ...chat,
      'gen_ai.usage.cost.amount': 0.0027,
      'gen_ai.usage.cost.currency': 'USD',
      'gen_ai.usage.cost.source': 'local',
      'ratecard.cost.total': '0.0027',
      'ratecard.cost.resource_id': 'openai:gpt-4o',
      'ratecard.cost.rule': 'platform_id',
      'ratecard.cost.catalog_version': '42',
    })
  })

  it('never shows a part as the total', () => {
    const attributes = exported(sdk, { ...claude, 'gen_ai.usage.cache_creation.input_tokens': 500 })
    expect(attributes).toMatchObject({
      'ratecard.cost.unpriced': ['cache_write_tokens: no_rate_for_variant'],
      'ratecard.cost.at_least': '0.0033',
      'ratecard.cost.currency': 'USD',
    })
    expect(attributes).not.toHaveProperty(['gen_ai.usage.cost.amount'])
    expect(attributes).not.toHaveProperty(['ratecard.cost.total'])
  })

  it('leaves spans alone that are no call, or have their cost', () => {
    const priced = { ...chat, 'gen_ai.usage.cost.amount': 7 }
    for (const attributes of [
      { 'http.route': '/' },
      priced,
      { ...chat, 'gen_ai.operation.name': 'invoke_agent' },
    ])
      expect(Object.keys(exported(sdk, attributes)).filter((name) => name.startsWith('ratecard.'))).toEqual(
        [],
      )
  })

  it('throws nothing into the program', () => {
    const errors: unknown[] = []
    const onError = (error: unknown) => {
      errors.push(error)
      throw error
    }
    const cost = () => {
      throw new Error('mine')
    }
    expect(exported(sdk, chat, { cost, onError })).toMatchObject(chat)
    expect(errors).toMatchObject([{ message: 'mine' }])
  })
})

describe('spellings of instrumentations', () => {
  const openLlmetry = {
    'gen_ai.system': 'Anthropic',
    'llm.request.type': 'chat',
    'gen_ai.response.model': 'claude-sonnet-4-5',
    'gen_ai.usage.prompt_tokens': 1_500,
    'gen_ai.usage.completion_tokens': 20,
    'llm.usage.total_tokens': 1_520,
    'gen_ai.usage.cache_read_input_tokens': 1_000,
    'gen_ai.usage.cache_creation_input_tokens': 0,
  }
  const aiSdk5 = {
    'gen_ai.system': 'openai.responses',
    'gen_ai.response.model': 'gpt-4o',
    'ai.usage.cachedInputTokens': 1_000,
    'gen_ai.usage.input_tokens': 1_500,
    'gen_ai.usage.output_tokens': 20,
  }
  const aiSdk6 = {
    ...claude,
    'gen_ai.system': 'anthropic.messages',
    'ai.usage.inputTokenDetails.cacheReadTokens': 1_000,
    'ai.usage.cachedInputTokens': 1_000,
    'ai.usage.outputTokenDetails.reasoningTokens': 5,
  }
  const pydantic = { ...claude, 'gen_ai.usage.details.cache_read_tokens': 1_000, 'operation.cost': 0.1 }
  const raw = { ...claude, 'gen_ai.usage.input_tokens': 500, 'gen_ai.usage.cache_read_input_tokens': 1_000 }

  it.each([
    ['OpenLLMetry adds up', openLlmetry, { cachedIn: true }, '0.0021'],
    ['version 5 of the AI SDK', aiSdk5, {}, '0.0027'],
    ['version 6 of the AI SDK', aiSdk6, {}, '0.0021'],
    ['Pydantic AI', pydantic, {}, '0.0021'],
    ["Anthropic's own counts", raw, {}, '0.0021'],
    [
      'written for five minutes',
      { ...claude, 'gen_ai.usage.cache_write.input_tokens': 500 },
      { cacheTtl: '5m' },
      '0.005175',
    ],
  ] as const)('%s', (_, attributes, cost, total) => {
    expect(newest(attributes, { cost })).toMatchObject({ 'ratecard.cost.total': total })
  })

  it.each([
    ['nobody knows whether the cached ones are in', openLlmetry, 'cachedIn'],
    ['a spelling that is new', { ...chat, 'gen_ai.usage.audio_cached.input_tokens': 5 }, 'audio_cached'],
    ['cached images', { ...chat, 'gen_ai.usage.image.input_tokens': 5 }, 'was cached'],
    ['more cached than there is', { ...chat, 'gen_ai.usage.input_tokens': 5 }, 'more than the whole'],
  ])('%s: no amount, and the reason', (_, attributes, message) => {
    const written = newest(attributes)
    expect(written).toMatchObject({ 'ratecard.cost.unpriced': ['usage: not_readable'] })
    expect(written['ratecard.cost.message']).toContain(message)
    expect(written).not.toHaveProperty(['gen_ai.usage.cost.amount'])
  })
})

test('the platform and the moment are those of the span, or what the program says', () => {
  const own = { ...chat, 'gen_ai.provider.name': 'my-gateway' }
  expect(newest(own)).toMatchObject({
    'ratecard.cost.unpriced': [/model_unknown/, /model_unknown/, /model_unknown/].map(
      (one) => expect.stringMatching(one) as string,
    ),
  })
  const cost = (attributes: Readonly<Record<string, unknown>>) => ({
    platform: attributes['gen_ai.provider.name'] === 'my-gateway' ? 'openai' : undefined,
  })
  expect(newest(own, { cost })).toMatchObject({ 'ratecard.cost.total': '0.0027' })
  const later = catalogOf({ ...gpt, effective_at: '2999-01-01' })
  const { 'ratecard.cost.doubts': doubts } = newest(chat)
  expect(doubts).toBeUndefined()
  expect(newest(chat, { catalog: later, cost: { at: '2026-01-01' } })).toMatchObject({
    'ratecard.cost.unpriced': expect.arrayContaining(['input_tokens: before_history']) as unknown,
  })
})

test('OTLP has it, and a batch hands all on', async () => {
  const exporter = new InMemorySpanExporter()
  const next = new BatchSpanProcessor({ exporter })
  const processor = costSpanProcessor({ catalog, next })
  const provider = new TracerProvider({ spanProcessors: [processor] })
  provider.getTracer('test').startSpan('call', { attributes: chat }).end()
  await processor.forceFlush()
  const bytes = JsonTraceSerializer.serializeRequest(exporter.getFinishedSpans())
  const text = new TextDecoder().decode(bytes)
  expect(text).toContain('{"key":"gen_ai.usage.cost.amount","value":{"doubleValue":0.0027}}')
  expect(text).toContain('{"key":"ratecard.cost.total","value":{"stringValue":"0.0027"}}')
  await processor.shutdown()
})

test('an ended span of an old SDK is handed on whole, and OTLP reads it', () => {
  const { provider, exporter } = sdks['version 1, around']!({ catalog })
  const span = provider.getTracer('test').startSpan('call', { attributes: chat })
  span.addEvent('first token').end()
  const [priced] = exporter.getFinishedSpans() as unknown as sdk1.ReadableSpan[]
  expect(priced).toMatchObject({ name: 'call', ended: true, events: [{ name: 'first token' }] })
  expect(priced!.spanContext()).toEqual(span.spanContext())
  expect(priced!.duration).toHaveLength(2)
  expect({ ...priced }).toMatchObject({ attributes: { 'ratecard.cost.total': '0.0027' } })
})

test('an old SDK without a next processor is told of once', () => {
  const errors: Error[] = []
  const exporter = new sdk1.InMemorySpanExporter()
  const spanProcessors = [
    costSpanProcessor({ catalog, onError: (error) => errors.push(error as Error) }),
    new sdk1.SimpleSpanProcessor(exporter),
  ]
  const tracer = new sdk1.BasicTracerProvider({ spanProcessors }).getTracer('test')
  for (let call = 0; call < 3; call += 1) tracer.startSpan('call', { attributes: chat }).end()
  expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining('as "next"')])
})

test.each([
  ['texts', { attributeValueLengthLimit: 6 }],
  ['the number of attributes', { attributeCountLimit: 12 }],
])('where an SDK limits %s no amount is another one', (_, spanLimits) => {
  const exporter = new InMemorySpanExporter()
  const spanProcessors = [costSpanProcessor({ catalog }), new SimpleSpanProcessor({ exporter })]
  const tracer = new TracerProvider({ spanProcessors, spanLimits }).getTracer('test')
  const attributes = { ...chat, 'gen_ai.usage.output_tokens': 21 }
  tracer.startSpan('call', { attributes }).end()
  const { attributes: written } = exporter.getFinishedSpans()[0]!
  expect(written['gen_ai.usage.cost.currency']).toBe('USD')
  if ('attributeValueLengthLimit' in spanLimits)
    expect(written).toMatchObject({ 'ratecard.cost.total': '', 'gen_ai.usage.cost.amount': 0.00271 })
  else expect(written).not.toHaveProperty(['gen_ai.usage.cost.amount'])
})

test('the AI SDK traces a call, and what it costs is on that span alone', async () => {
  const exporter = new InMemorySpanExporter()
  const spanProcessors = [costSpanProcessor({ catalog }), new SimpleSpanProcessor({ exporter })]
  const tracer = new TracerProvider({ spanProcessors }).getTracer('test')
  const inputTokens = { total: 1_500, noCache: 500, cacheRead: 1_000, cacheWrite: 0 }
  const model = new MockLanguageModelV3({
    provider: 'openai.responses',
    modelId: 'gpt-4o',
    doGenerate: {
      content: [{ type: 'text', text: 'Hello' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens, outputTokens: { total: 20, text: 20, reasoning: 0 } },
      warnings: [],
    },
  })
  await generateText({ model, prompt: 'Hi', experimental_telemetry: { isEnabled: true, tracer } })
  const spans = exporter.getFinishedSpans()
  expect(spans.map(({ name, attributes }) => [name, attributes['ratecard.cost.total']])).toEqual([
    ['ai.generateText.doGenerate', '0.0027'],
    ['ai.generateText', undefined],
  ])
})
