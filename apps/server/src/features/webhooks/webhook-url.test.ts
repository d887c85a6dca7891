import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createAddressGuard } from '@ratecard/contract/addresses'
import { webhookUrlProblem } from '@ratecard/contract/webhook-url'

const guard = createAddressGuard()
const problem = (text: string) => webhookUrlProblem(text, guard)

describe('webhookUrlProblem', () => {
  test.each([
    ...[
      'https://hooks.example',
      'https://hooks.example/',
      'https://hooks.example:1/x?y=z',
      'https://HOOKS.Example',
    ],
    ...[
      'https://hooks.example.',
      'https://8.8.8.8',
      'https://8.8.8.8.',
      'https://134744072',
      'https://[2606:4700::1]',
    ],
    ...['https://localhost.example', 'https://local.example', 'https://x-internal.example'],
    ...[
      'https://xn--bcher-kva.example',
      'https://bücher.example',
      'https://10.example',
      'https://a.b/@c',
      'https://a.b/?@',
    ],
  ])('%s is fine', (text) => {
    expect(problem(text)).toBeNull()
  })

  test.each<[RegExp, string[]]>([
    [
      /must start with/,
      ['http://hooks.example', 'HTTPS://hooks.example', 'https:hooks.example', '//x.example', ''],
    ],
    [/spaces, control characters or backslashes/, ['https://a b.example', 'https://a.example/\t', 'https://a.example\\@b.example', 'https://a.example\n', 'https://a\u007f.example', 'https://a.example/\0']], // prettier-ignore
    [/name a host/, ['https://', 'https://:443', 'https://?x', 'https://#', 'https://a.example:65536', 'https://[::1', 'https://[::g]', 'https://256.0.0.1', 'https://1.2.3.4.5', 'https://a%00b.example', 'https://0x100000000']], // prettier-ignore
    [/user name or password/, ['https://u@a.example', 'https://u:p@a.example', 'https://:p@a.example', 'https://@a.example', 'https://:@a.example', 'https://a.example:443@b.example', 'https://u@127.0.0.1']], // prettier-ignore
    [/fragment/, ['https://a.example#', 'https://a.example/#x', 'https://a.example/?x#y']],
    [/2048 characters/, [`https://a.example/${'a'.repeat(2_031)}`]],
    [/public host/, ['https://intranet', 'https://intranet.', 'https://x.local', 'https://X.LOCAL.', 'https://metadata.google.internal', 'https://a.b.internal..', 'https://.', 'https://..', 'https://a..']], // prettier-ignore
  ])('says what is wrong: %s', (sentence, texts) => {
    for (const text of texts) expect(problem(text), text).toMatch(sentence)
  })

  test('an address counts in every spelling the URL standard knows', () => {
    for (const text of [
      ...[
        '127.0.0.1',
        '127.1',
        '127.0.1',
        '2130706433',
        '0x7f000001',
        '0x7F.0.0.1',
        '0177.0.0.1',
        '017700000001',
      ],
      ...[
        '127.0.0.1.',
        '127.0.0.1..',
        '１２７.0.0.1',
        '127。0。0。1',
        '①②⑦.0.0.1',
        '%31%32%37.0.0.1',
        '0x7f.1',
        '0x7f.0x1',
      ],
      ...[
        '[::1]',
        '[0:0:0:0:0:0:0:1]',
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '[::FFFF:7F00:0001]',
        '[::127.0.0.1]',
      ],
      ...[
        'localhost',
        'LOCALHOST',
        'localhost.',
        'localhost..',
        'a.localhost',
        'a.b.LocalHost',
        'ｌocalhost',
        'a.localhost.',
      ],
      ...[
        '0',
        '0.0.0.0',
        '10.0.0.1',
        '169.254.169.254',
        '2852039166',
        '0xa9fea9fe',
        '0251.0376.0251.0376',
        '[fd00:ec2::254]',
      ],
    ]) {
      expect(problem(`https://${text}/hook`), text).toMatch(/public address/)
      expect(problem(`https://${text}:8443`), text).toMatch(/public address/)
    }
  })

  test('any IPv4 address is judged the same in decimal, octal, hex and mapped to IPv6', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const value = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
        const hex = value.toString(16).padStart(8, '0')
        const octal = address.split('.').map((part) => `0${Number(part).toString(8)}`).join('.') // prettier-ignore
        const expected = guard(address)
        for (const spelling of [
          address,
          String(value),
          `0x${hex}`,
          octal,
          `${address}.`,
          `[::ffff:${address}]`,
          `[::ffff:${hex.slice(0, 4)}:${hex.slice(4)}]`,
        ]) {
          expect(problem(`https://${spelling}/`) === null, spelling).toBe(expected)
        }
      }),
    )
  })

  test('what an operator has opened is open for every spelling, localhost included', () => {
    const open = createAddressGuard(['127.0.0.0/8'])
    for (const host of ['127.0.0.1', '127.1', 'localhost', 'a.localhost', '[::ffff:127.0.0.1]']) {
      expect(webhookUrlProblem(`https://${host}:8443/x`, open), host).toBeNull()
    }
    expect(webhookUrlProblem('https://[::1]/', open)).not.toBeNull()
    expect(webhookUrlProblem('https://box.local/', open)).not.toBeNull()
  })

  test('any text gets a sentence or null, never an exception', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl()), (text) => {
        for (const candidate of [text, `https://${text}`]) {
          const sentence = problem(candidate)
          expect(sentence === null || sentence.endsWith('.')).toBe(true)
          // What is fine leads, for the URL parser, to the host that was judged.
          if (sentence === null) expect(new URL(candidate).protocol).toBe('https:')
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
