import { expect, it } from 'vitest'
import { readTraceparent, summaryOf } from './tracing.ts'

it('reads traceparent as W3C says, and nothing else', () => {
  const [trace, span] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7']
  expect(readTraceparent(`00-${trace}-${span}-01`)).toEqual({ traceId: trace, spanId: span, isSampled: true })
  expect(readTraceparent(`00-${trace}-${span}-00`)?.isSampled).toBe(false)
  // A later version may say more.
  expect(readTraceparent(`cc-${trace}-${span}-03-more`)?.isSampled).toBe(true)
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

it('names a statement by its verb and first table, and by nothing that is in it', () => {
  expect(summaryOf('select "id" from "api_keys" where "hash" = $1')).toEqual({
    operation: 'SELECT',
    target: 'api_keys',
  })
  expect(summaryOf('insert into "public"."webhooks" ("id") values ($1)').target).toBe('webhooks')
  expect(summaryOf('select reserve_units($1, $2) as result')).toEqual({
    operation: 'SELECT',
    target: 'reserve_units',
  })
  expect(summaryOf('begin')).toEqual({ operation: 'BEGIN', target: undefined })
  expect(summaryOf("select 'rc_live_secret'")).toEqual({ operation: 'SELECT', target: undefined })
  expect(summaryOf('')).toEqual({ operation: 'QUERY', target: undefined })
})
