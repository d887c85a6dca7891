import type { components, webhooks } from '@ratecard/contract'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type * as node from '../src/index.node.ts'
import type * as web from '../src/index.ts'
import type { WebhookErrorCode } from '../src/index.ts'
import type { AlertedChange, ChangeAlert, VerifyOptions } from '../src/types.ts'
import * as nodeExports from '../src/index.node.ts'
import * as webExports from '../src/index.ts'

// These hold when this file compiles; a change of the contract that the types do not follow does not.
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Flat<T> = T extends object ? { [Key in keyof T]: Flat<T[Key]> } : T
type Body = webhooks['changeAlert']['post']['requestBody']['content']['application/json']

const alertIsBound: Equal<Flat<ChangeAlert>, Flat<Body>> = true
const changeIsBound: Equal<Flat<AlertedChange>, Flat<components['schemas']['AlertedChange']>> = true
const buildsAreBound: Equal<typeof web.verify, typeof node.verify> = true

describe('types', () => {
  test('are those of the contract', () => {
    expect([alertIsBound, changeIsBound, buildsAreBound]).toEqual([true, true, true])
  })

  test('both builds export the same names', () => {
    expect(Object.keys(nodeExports).sort()).toEqual(Object.keys(webExports).sort())
  })

  test('verify takes the bodies and headers that platforms have', () => {
    const use = (verify: typeof web.verify, secret: string | undefined) => {
      void verify('', new Headers(), { secret })
      void verify(new Uint8Array(), new Map([['a', 'b']]), { secrets: [secret] })
      void verify(
        new Request('https://a.example'),
        { a: ['b'], c: undefined },
        { secret, now: () => new Date() },
      )
      // @ts-expect-error a parsed body
      void verify({ event: 'change.alert' }, {}, { secret })
      // @ts-expect-error no secret
      void verify('', {}, {})
      // @ts-expect-error both at once
      void verify('', {}, { secret: 'a', secrets: ['b'] })
      // @ts-expect-error a name that is spelled wrongly
      void verify('', {}, { secret: 'a', tolerance: 5 })
    }
    expectTypeOf(use).parameter(0).toEqualTypeOf<typeof web.verify>()
    expectTypeOf<VerifyOptions['toleranceSeconds']>().toEqualTypeOf<number | undefined>()
  })

  test('codes can be told apart without a default', () => {
    const kind = (code: WebhookErrorCode): 'signature' | 'body' | 'other' => {
      switch (code) {
        case 'missing_signature':
        case 'malformed_signature':
        case 'signature_mismatch':
          return 'signature'
        case 'body_parsed':
        case 'body_missing':
        case 'body_too_large':
        case 'body_timeout':
          return 'body'
        case 'timestamp_too_old':
        case 'timestamp_too_new':
        case 'invalid_json':
        case 'unexpected_event':
        case 'invalid_payload':
        case 'bad_secret':
        case 'replayed':
          return 'other'
      }
    }
    expect(kind('replayed')).toBe('other')
  })
})
