import fc from 'fast-check'
import type { Question } from './pair.ts'

// Random requests. Most are nearly right: an answer to nonsense says little.

const rarely = <T>(likely: fc.Arbitrary<T>, rare: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 9, arbitrary: likely }, { weight: 1, arbitrary: rare })

/** A text, with some of its characters replaced, doubled or left out. */
function mutated(texts: fc.Arbitrary<string>, alphabet: string): fc.Arbitrary<string> {
  const character = fc.constantFrom(...alphabet, '')
  const edits = fc.array(fc.tuple(fc.nat(), character), { maxLength: 2 })
  return fc.tuple(texts, edits).map(([text, list]) =>
    list.reduce((edited, [at, by]) => {
      const position = at % (edited.length + 1)
      return edited.slice(0, position) + by + edited.slice(position + (at % 2))
    }, text),
  )
}

const instant = fc
  .record({
    date: fc.date({ min: new Date('2026-11-20'), max: new Date('2026-11-23'), noInvalidDate: true }),
    fraction: fc.constantFrom('', '.0', '.000002', '.0000029', '.5'),
    offset: fc.constantFrom('Z', 'z', '%2B01:00', '-05:30', '+01:00', '%2B24:00'),
  })
  .map(({ date, fraction, offset }) => `${date.toISOString().slice(0, 19)}${fraction}${offset}`)

const cursor = fc
  .tuple(
    fc.constantFrom(
      '2026-11-21T09:30:00.000003Z',
      '2026-11-21T09:30:00.000008Z',
      '2026-11-21T09:30:00.00000Z',
    ),
    fc.oneof(fc.constantFrom('openai:gpt-4o', 'chg_x', ''), fc.string({ unit: 'binary', maxLength: 5 })),
  )
  .map((pair) => Buffer.from(JSON.stringify(pair)).toString('base64url'))

const values: Record<string, fc.Arbitrary<string>> = {
  vendor: fc.constantFrom('openai', 'google', 'acme'),
  product: fc.constantFrom('openai/gpt-4o', 'openai%2Fwhisper-1'),
  platform: fc.constantFrom('openrouter', 'openai'),
  modality: fc.constantFrom('llm', 'audio'),
  category: fc.constantFrom('incident', 'price_cut'),
  include_incidents: fc.constantFrom('true', 'false', 'yes'),
  min_severity: fc.constantFrom('1', '3', '5', '6', '03'),
  since: mutated(instant, '0239:TZ.+- '),
  cursor: mutated(cursor, 'AQgw-_='),
  limit: mutated(fc.constantFrom('1', '2', '500', '501'), '0159.e-'),
}

const parameter = rarely(
  fc.constantFrom(...Object.keys(values)).chain((name) => values[name]!.map((value) => `${name}=${value}`)),
  fc.string({ unit: fc.constantFrom(...'vendor=&%+;0Aa '), maxLength: 8 }),
)

const listQuestion = fc
  .tuple(fc.constantFrom('/v1/prices', '/v1/changes'), fc.array(parameter, { minLength: 1, maxLength: 3 }))
  .map(([path, parameters]): Question => ({ path: `${path}?${parameters.join('&').replaceAll('#', '')}` }))

const url = mutated(
  fc.constantFrom(
    ...[
      'https://hooks.acme.example/x?y=1',
      'https://hooks.acme.example:8443',
      'https://user@hooks.acme.example',
    ],
    ...[
      'https://10.0.0.1/',
      'https://172.20.10.5',
      'https://[2606:4700::1111]/x',
      'https://[::ffff:10.0.0.1]',
    ],
    ...[
      'https://192.0.2.1',
      'https://100.64.1.1',
      'https://a.localhost',
      'https://a.internal',
      'https://0x7f.1',
    ],
  ),
  'aZ01fx.:/@[]%?#\\ é-_|"',
)
const events = fc.array(fc.constantFrom<unknown>('*', 'change.alert', 'x', 1), { maxLength: 3 })
const input = fc.record(
  {
    url: rarely<unknown>(url, fc.jsonValue()),
    secret: rarely<unknown>(fc.string({ unit: 'binary', minLength: 14, maxLength: 20 }), fc.jsonValue()),
    events: rarely<unknown>(events, fc.jsonValue()),
  },
  { requiredKeys: ['url'] },
)

const body = rarely<unknown>(
  rarely<unknown>(
    input.map((fields) => ({ secret: '0123456789abcdef', ...fields })),
    fc.oneof(
      input,
      input.map((fields) => ({ ...fields, other: 1 })),
    ),
  ),
  fc.oneof(
    mutated(fc.constant('{"url":"https://a.example","secret":"0123456789abcdef"}'), '{}[]",:\\0 '),
    fc.json(),
  ),
)
const type = rarely(
  fc.constant('application/json'),
  mutated(fc.constant('application/json; charset=utf-8'), 'jx/;=" '),
)

const creationQuestion = fc.tuple(body, type).map(([value, contentType]): Question => ({
  path: '/v1/webhooks',
  method: 'POST',
  body: value,
  headers: { 'content-type': contentType },
}))

const deletionQuestion = fc
  .string({ unit: fc.constantFrom(...'%0aZé/ .;?'), minLength: 1, maxLength: 5 })
  .map((id): Question => ({ path: `/v1/webhooks/${id}`, method: 'DELETE' }))

export const anyQuestion: fc.Arbitrary<Question> = fc.oneof(
  listQuestion,
  creationQuestion,
  creationQuestion,
  deletionQuestion,
)
