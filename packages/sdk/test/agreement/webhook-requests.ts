import type { Question } from './pair.ts'

// Bodies, addresses and content types of the webhook operations.

const url = 'https://hooks.acme.example/ratecard?team=ml'
const secret = 'a-long-random-string-of-your-own'
const good = { url, secret }

const secrets: unknown[] = [
  ...[
    'x'.repeat(16),
    'x'.repeat(512),
    '🔑'.repeat(16),
    '🔑'.repeat(512),
    ' '.repeat(16),
    '__proto__constructor',
  ],
  ...[
    '',
    'x'.repeat(15),
    'x'.repeat(513),
    '🔑'.repeat(8),
    '🔑'.repeat(513),
    `${secret}\n`,
    `${secret}\u0085`,
  ],
  ...[`${secret}\ud800`, null, 7, [secret]],
]

const events: unknown[] = [
  ...[
    ['*'],
    ['change.alert'],
    ['*', 'change.alert'],
    [],
    null,
    'change.alert',
    {},
    [1],
    [null],
    [[], []],
    [{}],
  ],
  ...[
    ['*', '*'],
    ['*', '*', '*'],
    ['*', 'change.alert', '*'],
    ['*', 'change.alert', '*', 'change.alert'],
  ],
  ...[
    ['change.created'],
    ['*', 'x'],
    ['x', '*', 'x'],
    ['*', 'x', 'x', '*'],
    ['CHANGE.ALERT'],
    ['change.alert '],
  ],
]

const bodies: unknown[] = [
  ...[
    good,
    {},
    [],
    [good],
    { url },
    { secret },
    { ...good, url: null },
    { ...good, url: [url] },
    { ...good, url: 1 },
  ],
  ...[
    { ...good, active: true },
    { ...good, id: 'x' },
    { active: true },
    { url: 1, secret: 2 },
    { url: 1, b: 2 },
  ],
  ...['a/b', '', '~', '/', '///', '__proto_', 'URL'].map((name) => ({ ...good, [name]: 1 })),
  ...[
    '{',
    '{"url":',
    'null',
    '"text"',
    '7',
    'true',
    '',
    ' ',
    '[]',
    '{}',
    ' \n{}',
    '\ufeff{}',
    '\u00a0{}',
    'url=x',
  ],
  ...[
    '{"a":1}x',
    "{'a':1}",
    '[1,2]x',
    '{"__proto__":{"url":1}}',
    '{"url":"\\ud800","secret":"0123456789abcdef"}',
  ],
  '{"url":"https://a.example","url":"https://b.example","secret":"0123456789abcdef"}',
  ...[
    [0x7b, 0xff, 0x7d],
    [0xff, 0xfe, 0x7b, 0x00],
    [0xed, 0xa0, 0x80],
  ].map((bytes) => Uint8Array.from(bytes)),
  ...[65_526, 65_527, 70_000].map((length) => `{"url":"${'a'.repeat(length)}"}`),
  ...[65_534, 65_535].map((length) => `{}${' '.repeat(length)}`),
]

const spacedUrls = [
  ...['', ' https://a.example', 'https://a.example ', 'https://a.example/a b', 'https://hooks acme.example'],
  ...['https://a.example/\t', 'https://a.example\n', 'https://a.example/\u0000'],
]

const urls = `
  http://a.example HTTPS://a.example https:a.example https:/a.example https:// https:///a.example https://?a ftp://a.example
  https://user@a.example https://user:pass@a.example/ https://@a.example https://a.example/@x https://a.example?@x
  https://a.example# https://a.example/#x https://a.example/?a#b https://a.example?a https://a.example?a?b https://a.example#a#b
  https://a.example\\x https://a.example/é https://bücher.example https://a.example/%zz https://a.example/%41
  https://a.example/a|b https://a.example/[x] https://a.example/"x" https://a.example/{x} https://a.example/^ https://a.example/%
  https://a.example:8443/x https://a.example:/x https://a.example:99999 https://a.example:0 https://a.example:x
  https://localhost https://LOCALHOST/x https://api.localhost https://localhost. https://localhost:8443/x https://intranet
  https://box.local https://db.internal https://a.local. https://local https://internal.example https://local.example
  https://a.example. https://xn--bcher-kva.example https://a_b.example https://-.example https://.. https://. https://%61.example
  https://127.0.0.1 https://127.1 https://2130706433 https://0x7f.1 https://0177.0.0.1 https://127.0.0.1. https://0 https://1.2.3
  https://10.0.0.1 https://11.0.0.1 https://9.255.255.255 https://100.63.0.1 https://100.64.0.1 https://100.127.0.1
  https://100.128.0.1 https://168.63.129.16 https://168.63.129.17 https://169.254.169.254 https://172.15.0.1 https://172.16.0.1
  https://172.31.255.255 https://172.32.0.1 https://192.0.0.8 https://192.0.1.1 https://192.0.2.1 https://192.31.196.1
  https://192.52.193.1 https://192.88.99.1 https://192.168.1.1 https://192.175.48.1 https://198.17.0.1 https://198.18.0.1
  https://198.19.1.1 https://198.20.0.1 https://198.51.100.7 https://203.0.113.7 https://223.255.255.255 https://224.0.0.1
  https://240.0.0.1 https://255.255.255.255 https://8.8.8.8 https://1.1.1.1:8443/x https://256.1.1.1 https://0.0.0.1
  https://[::1] https://[::] https://[::ffff:10.0.0.1] https://[::ffff:8.8.8.8] https://[::ffff:7f00:1] https://[::808:808]
  https://[2606:4700::1111]/x https://[2001:4860::8] https://[2001:db8::1] https://[2001:1ff::1] https://[2001:200::1]
  https://[fe80::1] https://[fe80::1%25eth0] https://[fec0::1] https://[fd00::1] https://[fc00::] https://[fb00::] https://[ff02::1]
  https://[64:ff9b::808:808] https://[64:ff9b:1::1] https://[64:ff9b:2::1] https://[2002:808:808::] https://[2003::1] https://[100::1]
  https://[3fff::1] https://[3fff:1000::1] https://[4000::1] https://[5f00::1] https://[5f01::1] https://[::1]:8443/x
  https://user@[::1]/ https://[::1 https://::1 https://[1::2::3] https://[g::1] https://[1:2:3:4:5:6:7:8] https://[::1]x
  https://a.example/${'a'.repeat(2_048 - 18)} https://a.example/${'a'.repeat(2_049 - 18)}
`

const types = [
  ...[
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json;',
  ],
  ...[
    'application/json; charset=utf8',
    'application/json; charset=latin1',
    'application/json; charset=utf-8; charset=x',
  ],
  ...['application/json; a=b', 'text/plain', 'application/x-www-form-urlencoded', 'application/problem+json'],
  ...['application/jsonp', 'multipart/form-data; boundary=x', 'application/json, text/plain', 'json'],
]

const ids = `
  {webhook} wh_none x %20 %zz %00 %0A %ff %C2%85 a%2Fb %F0%9F%94%91 a+b ${'a'.repeat(256)} ${'a'.repeat(257)}
`

const post = (more: Partial<Question>): Question => ({ path: '/v1/webhooks', method: 'POST', ...more })
const asJson = { 'content-type': 'application/json' }
const words = (text: string) => text.split(/\s+/).filter(Boolean)

export const webhookQuestions: Question[] = [
  ...bodies.map((body) => post({ body, headers: asJson })),
  ...secrets.map((value) => post({ body: { url, secret: value } })),
  ...events.map((value) => post({ body: { ...good, events: value } })),
  ...[...spacedUrls, ...words(urls)].map((address) => post({ body: { url: address, secret } })),
  ...types.map((type) => post({ body: JSON.stringify(good), headers: { 'content-type': type } })),
  ...['gzip', 'br', 'identity', 'Identity', 'x'].map((coding) =>
    post({ body: JSON.stringify(good), headers: { ...asJson, 'content-encoding': coding } }),
  ),
  post({}),
  post({ headers: asJson }),
  post({ headers: { 'content-type': 'text/plain' } }),
  post({ headers: { ...asJson, 'content-encoding': 'gzip' } }),
  post({ path: '/v1/webhooks?x=1', body: good }),
  post({ path: '/v1/webhooks?x=1', body: 'text', headers: { 'content-type': 'text/plain' } }),
  post({ body: Uint8Array.from(Buffer.from(JSON.stringify(good))) }),
  ...['?limit=1', '?cursor=x', '?x', '?', '?&'].map((query) => ({ path: `/v1/webhooks${query}` })),
  ...words(ids).map((id) => ({ path: `/v1/webhooks/${id}`, method: 'DELETE' })),
  { path: '/v1/webhooks/x?x=1', method: 'DELETE' },
  { path: '/v1/webhooks/%zz?x=1', method: 'DELETE' },
  { path: '/v1/webhooks/x', method: 'DELETE', body: 'ignored', headers: { 'content-type': 'text/plain' } },
]
