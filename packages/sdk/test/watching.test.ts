import { tracingChannel } from 'node:diagnostics_channel'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  ConfigurationError,
  type EndView,
  type Hooks,
  type Ratecard,
  RequestAbortedError,
  TimeoutError,
} from '../src/index.ts'
import { failure, pageOf, serve, testKey, usage, type Reply } from './support/server.ts'

type Seen = [step: keyof Hooks, view: EndView & { callId: string; operation: string }]

function noting(): { seen: Seen[]; hooks: Hooks } {
  const seen: Seen[] = []
  const note = (step: keyof Hooks) => (view: object) => void seen.push([step, view as Seen[1]])
  const hooks = {
    onRequest: note('onRequest'),
    onResponse: note('onResponse'),
    onRetry: note('onRetry'),
    onEnd: note('onEnd'),
  }
  return { seen, hooks }
}

const broken: Reply = (response) => response.socket!.destroy()
const webhook = { url: 'https://hooks.customer.example', secret: 'a-long-random-secret' }

describe('hooks', () => {
  it('tell the calls apart, name the operation, and end every one of them', async () => {
    const { client } = await serve(({ target }, count) =>
      count === 1 ? 503 : target.startsWith('/v1/usage') ? { json: usage } : pageOf([1]),
    )
    const { seen, hooks } = noting()
    const ratecard = client({ hooks })
    vi.spyOn(Math, 'random').mockReturnValue(0)
    onTestFinished(() => void vi.restoreAllMocks())
    await Promise.all([ratecard.usage.get(), ratecard.prices.list(), ratecard.usage.get()])
    const ids = [...new Set(seen.map(([, view]) => view.callId))]
    expect(ids).toHaveLength(3)
    const stepsOf = (id: string) => seen.filter(([, view]) => view.callId === id)
    const all = ids.map((id) => stepsOf(id).map(([step]) => step))
    expect(all.sort((a, b) => b.length - a.length)).toEqual([
      ['onRequest', 'onResponse', 'onRetry', 'onRequest', 'onResponse', 'onEnd'],
      ['onRequest', 'onResponse', 'onEnd'],
      ['onRequest', 'onResponse', 'onEnd'],
    ])
    for (const id of ids) expect(new Set(stepsOf(id).map(([, view]) => view.operation)).size).toBe(1)
    expect(ids.map((id) => stepsOf(id)[0]![1].operation).sort()).toEqual([
      'getUsage',
      'getUsage',
      'listPrices',
    ])
  })

  it.each<[operation: string, call: (client: Ratecard) => PromiseLike<unknown>]>([
    ['getHealth', (client) => client.health()],
    ['listPrices', (client) => client.prices.list()],
    ['listChanges', (client) => client.changes.list()],
    ['listWebhooks', (client) => client.webhooks.list()],
    ['createWebhook', (client) => client.webhooks.create(webhook)],
    ['deleteWebhook', (client) => client.webhooks.delete('whk_1')],
    ['getUsage', (client) => client.usage.get()],
  ])('call an operation %s, as the contract does', async (operation, call) => {
    const { client } = await serve(() => 400)
    const { seen, hooks } = noting()
    await failure(call(client({ hooks })))
    expect(seen.map(([, view]) => view.operation)).toEqual([operation, operation, operation])
  })

  it('are told the end of a call that went well', async () => {
    const { client, url } = await serve(() => ({ json: usage }))
    const { seen, hooks } = noting()
    await client({ hooks }).usage.get()
    const [step, end] = seen.at(-1)!
    expect(step).toBe('onEnd')
    expect(end).toMatchObject({
      operation: 'getUsage',
      method: 'GET',
      url: `${url}/v1/usage`,
      outcome: 'success',
      status: 200,
      attempts: 1,
      error: undefined,
    })
    expect(end.durationMs).toBeGreaterThan(0)
  })

  it.each<[string, () => Reply, (client: Ratecard) => PromiseLike<unknown>, object]>([
    ['refused by the server', () => 400, (client) => client.usage.get(), { status: 400, attempts: 1 }],
    [
      'broken',
      () => broken,
      (client) => client.usage.get({ maxRetries: 1 }),
      { status: undefined, attempts: 2 },
    ],
    [
      'out of time',
      () => () => {},
      (client) => client.usage.get({ timeoutMs: 20, maxRetries: 0 }),
      { attempts: 1, error: expect.any(TimeoutError) as TimeoutError },
    ],
    [
      'aborted',
      () => () => {},
      (client) => client.usage.get({ signal: AbortSignal.timeout(20) }),
      { attempts: 1, error: expect.any(RequestAbortedError) as RequestAbortedError },
    ],
    [
      'of the wrong shape',
      () => ({ json: { message: 'hello' } }),
      (client) => client.usage.get(),
      { status: 200, attempts: 1 },
    ],
    [
      'never sent',
      () => 500,
      (client) => client.withOptions({ apiKey: '' }).usage.get(),
      { attempts: 0, error: expect.any(ConfigurationError) as ConfigurationError },
    ],
    [
      'without an address',
      () => 500,
      (client) => client.withOptions({ baseUrl: 'x' }).usage.get(),
      { attempts: 0, url: undefined, error: expect.any(ConfigurationError) as ConfigurationError },
    ],
    [
      'with an id that cannot be',
      () => 500,
      (client) => client.webhooks.delete('..'),
      { attempts: 0, error: expect.any(ConfigurationError) as ConfigurationError },
    ],
  ])('are told the end of a call that was %s', async (_, reply, call, expected) => {
    const { client } = await serve(reply)
    const { seen, hooks } = noting()
    const error = await failure(call(client({ hooks })))
    const ends = seen.filter(([step]) => step === 'onEnd')
    expect(ends).toHaveLength(1)
    expect(seen.at(-1)).toBe(ends[0])
    expect(ends[0]![1]).toMatchObject({ outcome: 'error', error, ...expected })
  })

  it('hear nothing after the end, not of a fetch that comes back late', async () => {
    const { seen, hooks } = noting()
    let answer!: (response: Response) => void
    const fetch = () => new Promise<Response>((resolve) => (answer = resolve))
    const { client } = await serve(() => 500)
    const onRateLimit = vi.fn()
    await failure(client({ hooks, fetch, onRateLimit, timeoutMs: 5, maxRetries: 0 }).usage.get())
    answer(Response.json(usage, { headers: { 'x-ratelimit-limit': '1', 'x-ratelimit-remaining': '0' } }))
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(seen.map(([step]) => step)).toEqual(['onRequest', 'onEnd'])
    expect(onRateLimit).not.toHaveBeenCalled()
  })

  it('tell the pauses of poll as those of the call that failed', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0)
    onTestFinished(() => void vi.restoreAllMocks())
    const { client, url } = await serve((_, count) => (count === 1 ? 503 : pageOf([])))
    const { seen, hooks } = noting()
    for await (const change of client({ hooks, maxRetries: 0 }).changes.poll({ once: true })) void change
    expect(seen.map(([step]) => step)).toEqual([
      ...['onRequest', 'onResponse', 'onEnd', 'onRetry'],
      ...['onRequest', 'onResponse', 'onEnd'],
    ])
    const [, pause] = seen[3]!
    expect(pause).toMatchObject({ operation: 'listChanges', attempt: 1, error: { status: 503 } })
    expect(pause.callId).toBe(seen[2]![1].callId)
    expect(pause.url).toContain(`${url}/v1/changes`)
  })

  it('see the key nowhere, not where a server repeats it and not in an address', async () => {
    const { client } = await serve(({ headers, target }) => ({
      status: 503,
      headers: { 'x-echo': `you sent ${headers.authorization}`, 'x-request-id': testKey, 'retry-after': '0' },
      json: { error: 'x', message: `${headers.authorization} ${target}`, status: 503 },
    }))
    const { seen, hooks } = noting()
    const ratecard = client({ hooks, headers: { 'x-mine': testKey }, maxRetries: 1 })
    const errors = [
      await failure(ratecard.prices.list({ vendor: testKey })),
      await failure(ratecard.webhooks.delete(testKey)),
      await failure(ratecard.webhooks.delete(testKey, { timeoutMs: 1, maxRetries: 0 })),
      await failure(ratecard.webhooks.delete(testKey, { signal: AbortSignal.abort() })),
    ]
    expect(seen.length).toBeGreaterThan(10)
    const shown = JSON.stringify([seen, errors, errors.map(String), errors.map(({ stack }) => stack)])
    expect(shown).not.toContain(testKey)
    expect(shown).toContain('you sent Bearer [redacted]')
  })
})

describe('the tracing channel', () => {
  const channel = tracingChannel('ratecard:call')

  it('gives start and end of each call, with what a span needs', async () => {
    const { client, url } = await serve((_, count) => (count === 1 ? { json: usage } : 400))
    const seen: [string, Record<string, unknown>][] = []
    const note = (name: string) => (trace: object) => void seen.push([name, { ...trace }])
    const subscribers = {
      start: note('start'),
      end: note('end'),
      asyncStart: note('asyncStart'),
      asyncEnd: note('asyncEnd'),
      error: note('error'),
    }
    channel.subscribe(subscribers)
    onTestFinished(() => void channel.unsubscribe(subscribers))
    await client().usage.get()
    const error = await failure(client().prices.list())
    expect(seen.map(([name]) => name)).toEqual([
      ...['start', 'end', 'asyncStart', 'asyncEnd'],
      ...['start', 'end', 'error', 'asyncStart', 'asyncEnd'],
    ])
    expect(seen[0]![1]).toMatchObject({
      operation: 'getUsage',
      method: 'GET',
      callId: expect.any(String) as string,
    })
    expect(seen[3]![1]).toMatchObject({
      url: `${url}/v1/usage`,
      outcome: 'success',
      status: 200,
      attempts: 1,
    })
    expect(seen[8]![1]).toMatchObject({ operation: 'listPrices', outcome: 'error', status: 400, error })
    expect(JSON.stringify(seen)).not.toContain(testKey)
  })

  it('is not looked for where the runtime has none, and nothing is bundled for it', async () => {
    for (const process of [undefined, {}, { getBuiltinModule: () => undefined }]) {
      vi.resetModules()
      vi.stubGlobal('process', process)
      onTestFinished(() => void vi.unstubAllGlobals())
      const { Ratecard: Fresh } = await import('../src/index.ts')
      const fetch = () => Promise.resolve(Response.json(usage))
      const options = { apiKey: testKey, baseUrl: 'https://api.ratecard.example', fetch }
      expect(await new Fresh(options).usage.get()).toEqual(usage)
      vi.unstubAllGlobals()
    }
    const { build } = await import('esbuild')
    const entry = new URL('../src/index.ts', import.meta.url).pathname
    const { outputFiles } = await build({
      entryPoints: [entry],
      bundle: true,
      platform: 'browser',
      write: false,
    })
    expect(outputFiles[0]!.text).not.toMatch(/\brequire\(|\bimport\(|from ['"]node:/)
  })

  it('is not used when nobody listens', async () => {
    const { client } = await serve(() => ({ json: usage }))
    const trace = vi.spyOn(channel, 'tracePromise')
    onTestFinished(() => void trace.mockRestore())
    await client().usage.get()
    expect(trace).not.toHaveBeenCalled()
  })
})

describe('headers that a function gives', () => {
  const traceparent = (span: number) => `00-${'a'.repeat(32)}-${String(span).padStart(16, '0')}-01`

  it('pass a trace on, asked for with each call and kept over its attempts', async () => {
    const { client, seen } = await serve((_, count) =>
      count === 1 ? { status: 503, headers: { 'retry-after': '0' }, json: {} } : { json: usage },
    )
    vi.spyOn(Math, 'random').mockReturnValue(0)
    onTestFinished(() => void vi.restoreAllMocks())
    let span = 0
    const ratecard = client({
      headers: () => ({ traceparent: traceparent(++span), tracestate: 'a=1', 'x-a': '1' }),
    })
    await ratecard.usage.get()
    await ratecard.withOptions({ headers: { 'x-b': '2' } }).usage.get({ headers: () => ({ 'x-a': 'own' }) })
    expect(seen.map(({ headers }) => headers['traceparent'])).toEqual([
      traceparent(1),
      traceparent(1),
      traceparent(2),
    ])
    expect(seen[2]!.headers).toMatchObject({ tracestate: 'a=1', 'x-a': 'own', 'x-b': '2' })
  })

  it('are asked for within the traced call, so that its own span can be passed on', async () => {
    const { client, seen } = await serve(() => ({ json: usage }))
    const { AsyncLocalStorage } = await import('node:async_hooks')
    const spans = new AsyncLocalStorage<string>()
    const channel = tracingChannel('ratecard:call')
    channel.start.bindStore(spans, () => traceparent(7))
    onTestFinished(() => void channel.start.unbindStore(spans))
    await client({ headers: () => ({ traceparent: spans.getStore() }) }).usage.get()
    expect(seen[0]!.headers['traceparent']).toBe(traceparent(7))
  })

  it('that cannot be got are a ConfigurationError with its cause', async () => {
    const { client, seen } = await serve(() => ({ json: usage }))
    const cause = new Error('no context')
    const headers = () => {
      throw cause
    }
    const error = await failure(client({ headers }).usage.get())
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error.cause).toBe(cause)
    expect(seen).toHaveLength(0)
  })
})

describe('RATECARD_LOG', () => {
  async function linesWith(level: string): Promise<string[]> {
    vi.stubEnv('RATECARD_LOG', level)
    const print = vi.spyOn(console, 'error').mockReturnValue()
    vi.spyOn(Math, 'random').mockReturnValue(0)
    onTestFinished(() => {
      vi.unstubAllEnvs()
      vi.restoreAllMocks()
    })
    const { client } = await serve(({ headers }, count) =>
      count < 3
        ? {
            status: 503,
            headers: { 'x-echo': String(headers.authorization) },
            json: { error: 'x', message: `a\nb ${headers.authorization}`, status: 503 },
          }
        : { json: usage },
    )
    const ratecard = client({ maxRetries: 1 })
    await failure(ratecard.usage.get())
    await ratecard.usage.get()
    return print.mock.calls.map(([line]) => String(line))
  }

  it('debug prints a line for each request, answer, pause and end', async () => {
    const lines = await linesWith('debug')
    expect(lines.map((line) => line.split(' ')[1])).toEqual([
      ...['request', 'response', 'retry', 'request', 'response', 'end'],
      ...['request', 'response', 'end'],
    ])
    for (const line of lines) {
      expect(line).toMatch(
        /^ratecard \w+ \{"callId":"\w+-\d+","operation":"getUsage","method":"GET","url":"http/,
      )
      expect(line).not.toContain('\n')
      expect(line).not.toContain(testKey)
    }
    expect(lines[5]).toContain('"error":"ServiceUnavailableError: a\\nb Bearer [redacted] (503 x req-1)')
  })

  it.each(['', 'off', 'info'])('%j prints nothing', async (level) => {
    expect(await linesWith(level)).toEqual([])
  })
})
