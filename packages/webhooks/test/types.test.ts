import type { components, webhooks } from '@ratecard/contract'
import { describe, expect, expectTypeOf, test } from 'vitest'
import type * as node from '../src/index.node.ts'
import type * as web from '../src/index.ts'
import type { WebhookErrorCode } from '../src/index.ts'
import type { ChangeCategory as SdkCategory } from '../../sdk/src/generated/models.ts'
import type { AlertedChange, ChangeAlert, ChangeCategory, RatecardWebhookEvent } from '../src/types.ts'
import type { VerifyOptions } from '../src/types.ts'
import { ratecardWebhook as onExpress } from '../src/express.ts'
import { ratecardWebhook as onFastify } from '../src/fastify.ts'
import { ratecardWebhook as onFetch } from '../src/fetch.ts'
import { ratecardWebhook as onLambda } from '../src/lambda.ts'
import { ratecardWebhook as onNode } from '../src/node.ts'
import * as nodeExports from '../src/index.node.ts'
import * as webExports from '../src/index.ts'

// These pass when this file compiles. After a change of the contract that the types do not follow it does not.
type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type Flat<T> = T extends object ? { [Key in keyof T]: Flat<T[Key]> } : T
type Body = webhooks[keyof webhooks]['post']['requestBody']['content']['application/json']

/** Our type is open and lists today's values; the contract has a plain string. */
type OnTheWire<Change> = Flat<Omit<Change, 'category'> & { category: string }>
type Wire<Event> = Event extends { changes: AlertedChange[] }
  ? Omit<Event, 'changes'> & { changes: OnTheWire<AlertedChange>[] }
  : never

const eventIsBound: Equal<Flat<Wire<RatecardWebhookEvent>>, Flat<Body>> = true
const changeIsBound: Equal<OnTheWire<AlertedChange>, Flat<components['schemas']['AlertedChange']>> = true
const categoriesAreBound: Equal<ChangeCategory, SdkCategory> = true
const eventsAreAlerts: Equal<RatecardWebhookEvent, ChangeAlert> = true
const buildsAreBound: Equal<typeof web.verify, typeof node.verify> = true

describe('types', () => {
  test('are those of the contract', () => {
    const all = [eventIsBound, changeIsBound, categoriesAreBound, eventsAreAlerts, buildsAreBound]
    expect(all).toEqual([true, true, true, true, true])
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
      // The environment's secret.
      void verify('', {}, {})
      void verify('', {})
      void verify('', { get: (name: string) => name || null }, { secret })
      // @ts-expect-error the habit of stripe: the signature instead of the headers
      void verify('', 'sha256=', { secret })
      // @ts-expect-error the habit of stripe: the secret instead of the options
      void verify('', {}, 'secret')
      // @ts-expect-error no list
      void verify('', {}, { secrets: 'secret' })
      // @ts-expect-error both at once
      void verify('', {}, { secret: 'a', secrets: ['b'] })
      // @ts-expect-error a name that is spelled wrongly
      void verify('', {}, { secret: 'a', tolerance: 5 })
    }
    expectTypeOf(use).parameter(0).toEqualTypeOf<typeof web.verify>()
    expectTypeOf<VerifyOptions['toleranceSeconds']>().toEqualTypeOf<number | undefined>()
  })

  test('a category is known and open, and a handler is typed by the event in each entry', () => {
    const known: AlertedChange['category'] = 'price_cut'
    const unknown: AlertedChange['category'] = 'of a later version'
    expectTypeOf<Extract<'price_cut', AlertedChange['category']>>().toEqualTypeOf<'price_cut'>()
    const handle = (event: RatecardWebhookEvent): string => {
      switch (event.event) {
        case 'change.alert':
          return event.changes.map(({ title }) => title).join()
      }
    }
    const options = { secret: 'sixteen characters' }
    const made = [
      onExpress(options, (event) => void handle(event)),
      onFastify(options, (event) => void handle(event)),
      onFetch(options, (event) => void handle(event)),
      onLambda(options, (event) => void handle(event)),
      onNode(options, (event) => void handle(event)),
    ]
    expect([known, unknown, made.length]).toEqual(['price_cut', 'of a later version', 5])
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
