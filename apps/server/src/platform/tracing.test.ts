import { expect, it } from 'vitest'
import { createLogger } from './logger.ts'
import { openTracer } from './otel.ts'
import { readTraceparent, summarize } from './tracing.ts'

it('reads traceparent as W3C says, and nothing else', () => {
  const [trace, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  const parent = { traceId: trace, spanId: span }
  expect(readTraceparent(`00-${trace}-${span}-01`)).toEqual(parent)
  // A later version may say more.
  expect(readTraceparent(`cc-${trace}-${span}-03-more`)).toEqual(parent)
  for (const wrong of [
    '',
    `00-${trace}-${span}`,
    `00-${trace}-${span}-01-more`,
    `ff-${trace}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace}-${span}-01\n`,
  ])
    expect(readTraceparent(wrong), wrong).toBeNull()
})

it('is not told by a caller what to record', () => {
  const parent = (flags: string) =>
    readTraceparent(`00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-${flags}`)!
  const recorded = (share: number, flags: string) => {
    const config = {
      OTEL_EXPORTER_OTLP_HEADERS: [],
      OTEL_SERVICE_NAME: 'ratecard',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' as const,
      OTEL_TRACES_SAMPLER_ARG: share,
    }
    const endpoint = 'http://127.0.0.1:9'
    const tracer = openTracer({ config, endpoint, logger: createLogger('silent'), onLost: () => undefined })
    const span = tracer.start({ name: 'a request', kind: 'server', parent: parent(flags) })
    // What is under it follows it.
    const inner = tracer.start({ name: 'a statement', kind: 'client', parent: span })
    return [span.isRecorded, inner.isRecorded, inner.traceId === parent(flags).traceId]
  }
  expect(recorded(0, '01')).toEqual([false, false, true])
  expect(recorded(1, '00')).toEqual([true, true, true])
})

it('names a statement by its verb and first table, and by nothing that is in it', () => {
  expect(summarize('select "id" from "api_keys" where "hash" = $1')).toEqual({
    operation: 'SELECT',
    target: 'api_keys',
  })
  expect(summarize('insert into "public"."webhooks" ("id") values ($1)').target).toBe('webhooks')
  expect(summarize('select reserve_units($1, $2) as result')).toEqual({
    operation: 'SELECT',
    target: 'reserve_units',
  })
  expect(summarize('begin')).toEqual({ operation: 'BEGIN', target: undefined })
  expect(summarize("select 'rc_live_secret'")).toEqual({ operation: 'SELECT', target: undefined })
  expect(summarize('')).toEqual({ operation: 'QUERY', target: undefined })
})
