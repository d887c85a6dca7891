import { describe, expect, test } from 'vitest'
import { priceDataDir, newestFiles, priceInput, skipTitle } from '../../../test/support/price-files.ts'
import { rowCheck } from '../../platform/row-check.ts'
import { admit } from '../claims/admit.ts'
import { readSource } from '../run/read-source.ts'
import { readLitellm } from '../sources/lists/litellm.ts'

const check = await rowCheck()
const cheap = { mode: 'chat', input_cost_per_token: 1e-6, output_cost_per_token: 4e-6 }
const dear = { mode: 'chat', input_cost_per_token: 2e-6, output_cost_per_token: 8e-6 }

/** What is left of a file with a true row and another one, at half its price. */
function readBoth(name: string, provider: string, trueName = 'gpt-4o', isFirst = false) {
  const rows = [
    [trueName, { ...dear, litellm_provider: provider }],
    [name, { ...cheap, litellm_provider: provider }],
  ] as const
  const file = Object.fromEntries(isFirst ? rows.toReversed() : rows)
  const { records, rejected } = admit(readLitellm(file), check)
  return { served: records.map(({ resource_id, input_per_mtok: usd }) => [resource_id, usd]), rejected }
}

const saying = (pattern: RegExp) => expect.stringMatching(pattern) as string

const invisible = {
  'letters of full width': 'ｇｐｔ-4ｏ',
  'a character of no width': 'gpt\u200b-4o',
  'a joiner at its end': 'gpt-4o\u200d',
  'a byte order mark': '\ufeffgpt-4o',
  'a soft hyphen': 'gpt-4\u00ado',
  'a mark of the direction': '\u202egpt-4o',
  'a leading blank': ' gpt-4o',
  'a trailing blank': 'gpt-4o ',
  'a blank that does not break': 'gpt-4o\u00a0',
  'a blank after its platform': 'openai/ gpt-4o',
}
const foreign = {
  'a Cyrillic o': 'gpt-4\u043e',
  'Cyrillic letters': '\u0440\u0440t-4o',
  'a Greek omicron': 'gpt-4\u03bf',
  'a hyphen of another script': '\u05begpt-4o',
  'an accent': 'gpt-4o\u0301',
}

describe.each([['openai'], ['acme']])('a second gpt-4o on %s', (platform) => {
  test.each(Object.entries(invisible))('with %s is the first one', (_, name) => {
    for (const isFirst of [true, false]) {
      const odd = name.replace('openai', platform)
      const { served, rejected } = readBoth(odd, platform, 'gpt-4o', isFirst)
      expect(served).toEqual([[`${platform}:gpt-4o`, '2']])
      expect(rejected).toEqual([{ id: odd, reason: saying(/^names the same resource as gpt-4o, /) }])
    }
  })
})

test.each(Object.entries(foreign))("%s is in no maker's id", (_, name) => {
  const { served, rejected } = readBoth(name, 'openai')
  expect(served).toEqual([['openai:gpt-4o', '2']])
  const reason = saying(/^cannot be served: ids on openai are ASCII; write it without U\+/)
  expect(rejected).toEqual([{ id: name, reason }])
})

test('the platform may be the look-alike', () => {
  const { served, rejected } = readBoth('gpt-4o-mini', '\u043epenai')
  expect(served).toEqual([])
  expect(rejected).toHaveLength(2)
})

test('on other platforms a name is refused that looks like another one of the file', () => {
  expect(readBoth('gpt-4\u043e', 'acme')).toEqual({
    served: [['acme:gpt-4o', '2']],
    rejected: [
      { id: 'gpt-4\u043e', reason: 'cannot be served: it looks like acme:gpt-4o; write it without U+043E' },
    ],
  })
})

test.each(['яндекс-gpt', '模型-4o', 'größe', 'gpt-4\u043e'])('%s is a name of its own there', (name) => {
  expect(readBoth(name, 'acme', 'gpt-4').served).toEqual([
    ['acme:gpt-4', '2'],
    [`acme:${name}`, '1'],
  ])
})

test('a name of nothing but characters of no width is none', () => {
  expect(readBoth('\u200b', 'acme').rejected).toEqual([
    { id: '\u200b', reason: 'cannot be served: it has no name' },
  ])
})

describe.skipIf(priceDataDir === undefined)(skipTitle('the files as published'), () => {
  test.each(newestFiles)('$path: no name is refused', async ({ source, path, at }) => {
    const { records, rejected } = await readSource(source, { ...priceInput(path), now: new Date(at) })
    expect(records.length).toBeGreaterThan(100)
    expect(rejected.filter(({ reason }) => /ASCII|looks like|no name/.test(reason))).toEqual([])
  })
})
