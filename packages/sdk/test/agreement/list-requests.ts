import type { Question } from './pair.ts'

// Queries of the two lists: good ones, bad ones, and the edges between.

/** The words of a text. */
function words(text: string): string[] {
  return text.split(/\s+/).filter(Boolean)
}

const base64url = (text: string) => Buffer.from(text).toString('base64url')
const cursor = (...pair: unknown[]) => base64url(JSON.stringify(pair))
const instant = '2026-11-21T09:30:00.000003Z'
const key = '%F0%9F%94%91'

const filters = words(`
  vendor=openai vendor=OpenAI vendor=unknown vendor=nobody vendor=google&modality=video product=openai
  product=openai/gpt-4o-mini product=openai%2Fgpt-4o-mini product=%6Fpenai/gpt-4o platform=openrouter
  platform=bedrock&vendor=anthropic modality=llm&limit=3 modality=embedding vendor=${key} vendor=a+b%2Bc
  vendor=:/?@!$'()*,; vendor=%20 vendor=${'a'.repeat(256)} vendor=${key.repeat(256)} vendor=open=ai
  & &&vendor=openai& limit=1 limit=14 limit=15 limit=500
`)

const malformed = words(`
  vendr=acme Vendor=acme vendor[]=acme vendor= vendor vendor=a&vendor=a =acme %zz=1 vendor=%00 vendor=%0A vendor=%7F
  vendor=%C2%85 vendor=%zz vendor=% vendor=%ff vendor=%ED%A0%80 vendor=${key}%F0 vendor=${'a'.repeat(257)}
  vendor=${key.repeat(257)} resource_id=acme:alpha __proto__=1 constructor=1 toString=1 view_count=1 api_key=1
  product= platform= modality= since= cursor= limit= limit=1&limit=1 %76endor=a&vendor=a ${'n'.repeat(70)}=1 "<b>"=1
  limit=0&vendr=1 vendr=1&limit=0 limit=501&since=now since=now&limit=501 since=now&vendor=%00
  cursor=x&since=2026-02-30T00:00:00Z
`)

const sinces = words(`
  2026-11-21T09:30:00.000003Z 2026-11-21T09:30:00.000003999Z 2026-11-21T09:30:00Z 2026-11-21T09:30:01Z
  2026-11-21t09:30:00z 2026-11-21T10:30:00%2B01:00 2026-11-21T04:00:00.000009-05:30 2026-11-21T09:30:00-00:00
  2026-11-21T09:30:00.5Z 0001-01-01T00:00:00Z 9999-12-31T23:59:59.999999Z 2024-02-29T00:00:00Z
  2026-01-01T00:00:00.${'1'.repeat(40)}Z 2026-01-01T00:00:00.${'1'.repeat(60)}Z
  2026-01-01 2026-01-01T00:00:00 2026-01-01%2000:00:00Z 2026-01-01+00:00:00Z 2026-02-29T00:00:00Z 1900-02-29T00:00:00Z
  2026-04-31T00:00:00Z 0000-01-01T00:00:00Z 2026-13-01T00:00:00Z 2026-00-01T00:00:00Z 2026-01-32T00:00:00Z
  2026-01-00T00:00:00Z 2026-01-01T24:00:00Z 2026-01-01T00:00:60Z 2026-01-01T00:60:00Z 2026-01-01T23:59:60Z
  2026-01-01T00:00:00.Z 2026-01-01T00:00:00,5Z 2026-01-01T00:00Z 2026-1-1T0:0:0Z 20260101T000000Z 1767225600 now %20 x%0A
  2026-01-01T00:00:00+05:30 2026-01-01T00:00:00%2B24:00 2026-01-01T00:00:00%2B23:60 2026-01-01T00:00:00%2B05
  0001-01-01T00:00:00%2B00:01 9999-12-31T23:59:59-00:01 %2B002026-01-01T00:00:00Z
`)

const limits = words(`
  0 00 501 -1 1.5 abc 0x10 1e2 +5 %2B5 %205 5%20 5%0A 0100 1,0 [5] null true %D9%A1 99999999999999999999 ${'9'.repeat(300)}
`)

const cursors = [
  ...['openai:gpt-4o-mini', 'a', '~', 'é🔑', '<\u2028>', 'a"\\b'].map((id) => cursor(instant, id)),
  ...['x'.repeat(512), 'x'.repeat(513), '🔑'.repeat(256), ''].map((id) => cursor(instant, id)),
  ...['a\0', '\ud800', '\n', 1, null, ['a']].map((id) => cursor(instant, id)),
  cursor('9999-12-31T23:59:59.999999Z', 'z'),
  cursor('0001-01-01T00:00:00.000000Z', 'a'),
  cursor('2026-01-01T00:00:00Z', 'a'),
  cursor('2026-02-30T00:00:00.000000Z', 'a'),
  cursor(instant, 'a', 'b'),
  cursor(instant),
  `${cursor(instant, 'a')}A`,
  `${cursor(instant, 'a')}=`,
  cursor(instant, 'a').slice(1),
  cursor(instant, 'a').slice(0, -1),
  base64url(`{"0":"${instant}","1":"a"}`),
  base64url(`["${instant}", "a"]`),
  base64url(`["${instant}","\\u0061"]`),
  Buffer.from(`["${instant}","\xff"]`, 'latin1').toString('base64url'),
  Buffer.from(`["${instant}","a?>a"]`).toString('base64'),
  ...['x', 'bnVsbA', '!', '%20', 'é', 'A'.repeat(1_025), 'A'.repeat(4_096), 'A'.repeat(4_097)],
]

export const listQuestions: Question[] = ['/v1/prices', '/v1/changes']
  .flatMap((path) => [
    path,
    `${path}?`,
    ...[...filters, ...malformed].map((query) => `${path}?${query}`),
    ...sinces.map((since) => `${path}?since=${since}`),
    ...limits.map((limit) => `${path}?limit=${limit}`),
    ...cursors.map((text) => `${path}?cursor=${text}`),
  ])
  .map((path) => ({ path }))

export const changeQuestions: Question[] = words(`
  category=incident category=price_cut category=nothing category=Incident category= category=%00 include_incidents=true
  include_incidents=false include_incidents=1 include_incidents=TRUE include_incidents=yes include_incidents=
  category=price_cut&include_incidents=true category=incident&include_incidents=false platform=openai modality=llm
  min_severity=1 min_severity=2 min_severity=3 min_severity=5 min_severity=0 min_severity=6 min_severity=03
  min_severity=-1 min_severity=3.0 min_severity=3&include_incidents=true min_severity=2&category=incident
  vendor=openai&min_severity=4 product=openai/whisper-1 product=openai/whisper-1&min_severity=5 min_severity=6&limit=501
`).map((query) => ({ path: `/v1/changes?${query}` }))
