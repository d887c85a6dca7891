import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { exchange, head, type RawAnswer } from './support/raw-http.ts'
import { expectError, expectNoHarm, secret, url, useInputs } from './support/inputs.ts'

const inputs = useInputs()
const { api, authorization, paid } = inputs

describe('the body', () => {
  const good = JSON.stringify({ url, secret })

  async function post(body: string | Uint8Array, ...headers: string[]): Promise<RawAnswer> {
    const bytes = Buffer.from(body)
    const lines = headers.some((header) => /^(content-type|x-no-type)/i.test(header))
      ? headers
      : ['Content-Type: application/json', ...headers]
    const [answer, ...more] = await exchange(
      api.url,
      Buffer.concat([
        Buffer.from(
          head(
            'POST /v1/webhooks',
            authorization(),
            `Content-Length: ${bytes.length}`,
            'Connection: close',
            ...lines,
          ),
        ),
        bytes,
      ]),
    )
    expect(more).toEqual([])
    return answer as RawAnswer
  }

  test.each<[string, string]>([
    ['null', 'null'],
    ['a list', '[]'],
    ['a string', '"x"'],
    ['a number', '1'],
    ['true', 'true'],
    ['half an object', '{'],
    ['nothing', ''],
    ['a blank', ' '],
    ['two objects', `${good}${good}`],
    ['something after the object', `${good}x`],
    ['a trailing comma', `{"url":"${url}","secret":"${secret}",}`],
    ['single quotes', good.replaceAll('"', "'")],
    ['a comment', `/* */${good}`],
    ['NaN', `{"url":NaN,"secret":"${secret}"}`],
    ['__proto__ as a property', `{"__proto__":{"url":"${url}"},"secret":"${secret}"}`],
    ['__proto__ beside the others', good.replace('{', '{"__proto__":{"active":false},')],
    ['constructor as a property', good.replace('{', '{"constructor":{},')],
    ['url twice, the last one bad', good.replace('}', ',"url":"http://x.example"}')],
    ['a raw line feed in a string', `{"url":"${url}","secret":"sixteen\ncharacters"}`],
    ['an escaped NUL in a string', `{"url":"${url}","secret":"sixteen characters\\u0000"}`],
    ['half a surrogate pair', `{"url":"${url}","secret":"sixteen characters\\ud83d"}`],
    ['half a surrogate pair in the url', `{"url":"${url}\\ud83d","secret":"${secret}"}`],
    ['a list 30,000 deep', `${'['.repeat(30_000)}${']'.repeat(30_000)}`],
    ['a list 65,000 deep without an end', '['.repeat(65_000)],
    ['an object 10,000 deep', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['a property 30,000 deep', `{"url":${'['.repeat(30_000)}${']'.repeat(30_000)},"secret":"${secret}"}`],
    [
      'events 15,000 deep, twice',
      `{"url":"${url}","secret":"${secret}","events":[${Array(2)
        .fill(`${'['.repeat(15_000)}${']'.repeat(15_000)}`)
        .join()}]}`,
    ],
    ['20,000 events', `{"url":"${url}","secret":"${secret}","events":[${Array(16_000).fill('"*"').join()}]}`],
    ['10,000 properties', `{${Array.from({ length: 6_000 }, (_, index) => `"p${index}":1`).join()}}`],
  ])('400 for %s', async (_name, body) => {
    expectError(await post(body), 400, 'invalid_request')
  })

  test('400 for bytes that are not UTF-8, which would change a secret silently', async () => {
    for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80], [0xf5, 0x80, 0x80, 0x80]]) {
      const [before, after] = good.split('sixteen')
      const body = Buffer.concat([
        Buffer.from(`${before}sixteen`),
        Buffer.from(bytes),
        Buffer.from(after ?? ''),
      ])
      expectError(await post(body), 400, 'invalid_request')
    }
    expectError(await post(Buffer.from(good, 'utf16le')), 400, 'invalid_request')
  })

  test('of a property that is given twice the last one counts, for the check as for what is stored', async () => {
    const { status, body } = await post(good.replace('{', '{"url":"http://10.0.0.1",'))
    expect({ status, body }).toMatchObject({ status: 201, body: { data: { url } } })
  })

  test('a byte order mark before the object is skipped', async () => {
    expect((await post(`\ufeff${good}`)).status).toBe(201)
  })

  test('413 for more than 64 KiB, announced or in chunks', async () => {
    const long = good + ' '.repeat(70_000)
    expectError(await post(long), 413, 'payload_too_large')
    const chunked = `${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`
    const [answer] = await exchange(
      api.url,
      head(
        'POST /v1/webhooks',
        authorization(),
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        'Connection: close',
      ) + chunked,
    )
    expectError(answer as RawAnswer, 413, 'payload_too_large')
  })

  test('chunks are joined', async () => {
    const middle = Math.floor(good.length / 2)
    const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
    const [answer] = await exchange(
      api.url,
      head(
        'POST /v1/webhooks',
        authorization(),
        'Content-Type: application/json',
        'Transfer-Encoding: chunked',
        'Connection: close',
      ) +
        chunk(good.slice(0, middle)) +
        chunk(good.slice(middle)) +
        chunk(''),
    )
    expect(answer?.status).toBe(201)
  })

  test('415 for a body that says it is something else', async () => {
    expectError(await post(good, 'X-No-Type: 1'), 415, 'unsupported_media_type')
    expectError(await post(good, 'Content-Type:'), 415, 'unsupported_media_type')
    expectError(await post(good, 'Content-Type: text/plain'), 415, 'unsupported_media_type')
    expectError(
      await post(good, 'Content-Type: application/json; charset=utf-16'),
      415,
      'unsupported_media_type',
    )
    expectError(await post(gzipSync(good), 'Content-Encoding: gzip'), 415, 'unsupported_media_type')
    expectError(await post(good, 'Content-Encoding: br'), 415, 'unsupported_media_type')
    expectError(await post(good, 'Content-Encoding: nonsense'), 415, 'unsupported_media_type')
  })

  test('a body where none belongs is ignored', async () => {
    for (const target of ['GET /v1/prices', 'GET /health']) {
      const [answer] = await exchange(
        api.url,
        `${head(target, authorization(), 'Content-Type: text/x', 'Content-Length: 3', 'Connection: close')}{{{`,
      )
      expect(answer?.status).toBe(200)
    }
  })
})

describe('the address of a webhook', () => {
  const post = async (address: string) =>
    (await api.request('/v1/webhooks', { key: paid.key, method: 'POST', body: { url: address, secret } }))
      .status

  test.each([
    ...[
      'https://hooks.acme.example',
      'https://hooks.acme.example:8443/a/b?c=d&e=%20',
      'https://HOOKS.acme.example/',
    ],
    ...[
      'https://hooks.acme.example.',
      'https://8.8.8.8/x',
      'https://[2606:4700:4700::1111]/x',
      'https://a.b:1',
    ],
    ...[
      'https://xn--bcher-kva.example/',
      'https://local.example',
      'https://internal.example',
      'https://a--b.c-d.example',
    ],
    ...['https://localhost.example', `https://hooks.acme.example/${'a'.repeat(2_021)}`],
  ])('201 for %s', async (address) => {
    expect(await post(address)).toBe(201)
  })

  test.each([
    ...[
      'http://hooks.acme.example',
      'HTTPS://hooks.acme.example',
      'Https://hooks.acme.example',
      'ftp://x.example',
    ],
    ...[
      'hooks.acme.example',
      '//hooks.acme.example',
      'https:hooks.acme.example',
      'https:/hooks.acme.example',
      '',
    ],
    ...[
      ' https://hooks.acme.example',
      'https://hooks.acme.example ',
      'https://hooks.acme.example/a b',
      'https://',
    ],
    ...[
      'https:///path',
      'https://?x',
      'https://:443',
      'https://hooks.acme.example:70000',
      'https://hooks.acme.example:x',
    ],
    ...[
      'https://user@hooks.acme.example',
      'https://user:pw@hooks.acme.example',
      'https://@hooks.acme.example',
    ],
    ...[
      'https://hooks.acme.example/#x',
      'https://hooks.acme.example#',
      'https://hooks.acme.example\\@10.0.0.1/',
    ],
    ...['https://hooks.acme.example/\n', 'https://ho\toks.acme.example', 'https://hooks.acme.example/\0'],
    ...[
      'https://localhost',
      'https://LOCALHOST',
      'https://localhost.',
      'https://a.localhost',
      'https://localhost:8443/',
    ],
    ...[
      'https://printer.local',
      'https://x.internal',
      'https://metadata.google.internal/',
      'https://intranet',
    ],
    ...['https://x.local.', 'https://x.INTERNAL', 'https://intranet.', 'https://com', 'https://localhost..'],
    ...[
      'https://127.0.0.1',
      'https://127.1',
      'https://2130706433',
      'https://0x7f000001',
      'https://0177.0.0.1',
    ],
    ...[
      'https://0x7f.0.0.1',
      'https://127.0.0.1.',
      'https://0',
      'https://0.0.0.0',
      'https://10.0.0.1',
      'https://10.1',
    ],
    ...['https://172.16.0.1', 'https://192.168.1.1', 'https://169.254.169.254/latest', 'https://100.64.0.1'],
    ...[
      'https://224.0.0.1',
      'https://255.255.255.255',
      'https://192.0.2.1',
      'https://168.63.129.16',
      'https://127.0.0.1..',
    ],
    ...[
      'https://[::1]',
      'https://[::]',
      'https://[::ffff:127.0.0.1]',
      'https://[::ffff:7f00:1]',
      'https://[fe80::1]',
    ],
    ...[
      'https://[fc00::1]',
      'https://[fd00:ec2::254]',
      'https://[::127.0.0.1]',
      'https://[64:ff9b::7f00:1]',
      'https://[::1',
    ],
    ...['https://[2002:7f00:1::]', 'https://[2001:db8::1]', 'https://[0:0:0:0:0:0:0:1]', 'https://[ff02::1]'],
    ...[
      'https://１２７.0.0.1',
      'https://127。0。0。1',
      'https://ⓛocalhost',
      'https://[fe80::1%25eth0]',
      'https://1.2.3.4.5',
    ],
    ...[
      'https://256.256.256.256',
      'https://%31%32%37.0.0.1',
      'https://127.0.0.1%00.example',
      'https://a..',
      'https://.',
    ],
    `https://hooks.acme.example/${'a'.repeat(2_022)}`,
  ])('400 for %s', async (address) => {
    expect(await post(address)).toBe(400)
  })
})

expectNoHarm(inputs)
