import { describe, expect, test } from 'vitest'
import {
  buildXaiPage,
  googlePage,
  grok,
  grokMini,
  moonshotPage,
  moonshotPageCn,
  voyagePage,
  xaiPage,
  zaiPage,
} from '../../../../test/support/more-price-pages.ts'
import { sources } from '../index.ts'

const now = new Date('2026-08-10T12:00:00Z')
type Name = 'google-page' | 'moonshot-page' | 'moonshot-page-cn' | 'voyage-page' | 'xai-page' | 'zai-page'
const read = (name: Name, text: string) => sources[name].read({ text, now })
const pricesOf = ({ records }: ReturnType<typeof read>) =>
  Object.fromEntries(
    records.map(({ resource_id, currency, input_per_mtok, output_per_mtok, cached_input_per_mtok }) => [
      resource_id,
      [input_per_mtok, output_per_mtok, cached_input_per_mtok, currency].map((part) => part ?? '-').join(' '),
    ]),
  )
/** What is refused when a page has other words in some place, and why. */
const refusedBy = (name: Name, page: string, was: string | RegExp, is: string) => {
  const text = page.replace(was, is)
  expect(text).not.toBe(page)
  return read(name, text).rejected.map(({ id, reason }) => `${id}: ${reason}`)
}

describe("Google's page", () => {
  test('states the paid tier, for text, for audio and above a threshold, tier by tier', () => {
    const reading = read('google-page', googlePage)
    expect(reading.rejected).toEqual([])
    expect(pricesOf(reading)).toEqual({
      'google:gemini-9-flash': '0.3 2.5 0.03 USD',
      'google:gemini-3.1-pro-preview': '2 12 0.2 USD',
      'google:gemini-3.1-pro-preview-customtools': '2 12 0.2 USD',
      'google:gemini-9-tts': '1 - - USD',
      'google:gemini-embedding-001': '0.15 - - USD',
    })
    const card = (id: string) =>
      reading.records
        .find(({ resource_id }) => resource_id === id)!
        .rates.map(({ service_tier, threshold, meter, amount }) =>
          [service_tier, threshold, meter, amount].filter((part) => part !== null).join(' '),
        )
    expect(card('google:gemini-9-flash')).toEqual(
      expect.arrayContaining([
        ...['input_audio_tokens 1', 'cached_input_audio_tokens 0.1', 'batch input_tokens 0.15'],
        ...['flex input_audio_tokens 0.5', 'priority output_tokens 4.5', 'batch cached_input_tokens 0.03'],
      ]),
    )
    expect(card('google:gemini-3.1-pro-preview')).toEqual(
      expect.arrayContaining([
        ...['200000 input_tokens 4', '200000 output_tokens 18', '200000 cached_input_tokens 0.4'],
        ...['batch 200000 input_tokens 2', 'batch 200000 cached_input_tokens 0.4'],
      ]),
    )
    expect(card('google:gemini-9-tts')).toContain('output_audio_tokens 20')
  })

  const faults: [string, string | RegExp, string, RegExp][] = [
    ['a digit in the standard tier', '$2.50 |', '$2.60 |', /^gemini-9-flash: Batch: its output is not 0.5 times/],
    ['a digit in another tier', '$4.50 |', '$4.60 |', /^gemini-9-flash: Priority: its output is not 1.8 times/],
    ['a digit in cached input', '$0.03 (text', '$0.08 (text', /its cached is not 0.5 times/],
    ['a price for audio in one tier', '$0.30 (text / image / video) $1.00 (audio)', '$0.30', /its input is not/],
    ['another threshold', /prompts <= 200k tokens \$4.00, prompts > 200k/, 'prompts <= 100k tokens $4.00, prompts > 100k', /^gemini-3.1-pro-preview: Batch: its input/],
    ['thresholds that differ', /> 200k tokens/, '> 250k tokens', /Input price is in no known form/],
    ['a footnote', '$1.25 |', '$1.251* |', /in no known form: \$1.251\*/],
    ['a dated price', '$2.50 |', '$2.50 through December 31, 2026, then $3.00 |', /in no known form/],
    ['a dated price in a sentence', 'A model for much.', 'It costs $9 starting January 1, 2027.', /^gemini-9-flash: a sentence states a price/],
    ['a row of another kind', 'Input price | Free of charge | $0.30', 'Video input price | Free of charge | $0.30', /has a row that is not known/],
    ['two rows of one kind', '| Output price (including thinking tokens) | Free of charge | $2.50 |', '| Input price | Free of charge | $2.50 |', /two rows of one kind/],
    ['ids of another model', '`gemini-9-flash`', '`gemini-9-flash-lite`', /the ids under it are not those of its name/],
    ['a tier without a table', '[Priority](/pricing#priority)', '', /has 4 tables, not one for each/],
    ['a cut page', /\* A request may result[^]*/, '', /^gemini-9-flash: is the last of the page, which may be cut/],
    ['one tier alone', /\[Standard\].*More\n/, '', /not one for each of several tiers/],
    ['the columns in another order', /\| \$0.30 \(text.*\n/, '|\n', /has 2 cells under 3 headings/],
  ] // prettier-ignore
  test.each(faults)('%s refuses the model and says where', (_, was, is, reason) => {
    const refused = refusedBy('google-page', googlePage, was, is)
    expect(refused[0]).toMatch(reason)
    expect(refused[0]).toMatch(/bytes \d+ to \d+/)
  })

  test('with another header is no table of prices', () => {
    const text = googlePage.replaceAll('Paid Tier, per 1M', 'Paid Tier, per 1K')
    expect(() => read('google-page', text)).toThrow(/no table with the header/)
  })
})

describe("Z.ai's page", () => {
  test('states each row twice, free ones too', () => {
    expect(pricesOf(read('zai-page', zaiPage))).toEqual({
      'zai:glm-5.2': '1.4 4.4 0.26 USD',
      'zai:glm-5-turbo': '1.2 4 0.24 USD',
      'zai:glm-4-32b-0414-128k': '0.1 0.1 - USD',
      'zai:glm-4.7-flash': '0 0 0 USD',
      'zai:glm-4.6v': '0.3 0.9 0.05 USD',
      'zai:glm-ocr': '0.03 0.03 - USD',
    })
  })

  const faults: [string, string, string, RegExp][] = [
    ['a row that the script draws otherwise', '<td>$1.4</td>', '<td>$1.5</td>', /^glm-5.2: .* is not what the script/],
    ['a script that draws another row', 'children:`$0.3`', 'children:`$0.4`', /^glm-4.6v: .* is not what the script/],
    ['a footnote', '<td>$1.2</td>', '<td>$1.2<sup>1</sup></td>', /^glm-5-turbo: Input is not/],
    ['an unknown name', '<td>GLM-5.2</td>', '<td>GLM-9</td>', /^GLM-9: its name is not in the table of names/],
    ['a missing cell', '<td>$4.4</td>', '', /^glm-5.2: has 4 cells/],
    ['no price', '<td>$1.4</td>', '<td>-</td>', /^glm-5.2: states no price/],
  ] // prettier-ignore
  test.each(faults)('%s refuses the row', (_, was, is, reason) => {
    expect(refusedBy('zai-page', zaiPage, was, is)).toEqual([expect.stringMatching(reason)])
  })

  test('in another currency, unit or table is refused', () => {
    for (const [was, is] of [
      ['in USD', 'in CNY'],
      ['per 1M tokens', 'per 1K tokens'],
      ['<th>Input</th>', '<th>Price</th>'],
    ])
      // prettier-ignore
      expect(() => read('zai-page', zaiPage.replaceAll(was!, is!))).toThrow(/does not say|is none that was read/)
  })
})

describe("Moonshot's pages", () => {
  test('are two lists: in USD, which bears witness only, and in CNY, of which the script draws the same', () => {
    const usd = read('moonshot-page', moonshotPage)
    expect(pricesOf(usd)).toEqual({
      'moonshot:kimi-k9': '0.95 4 0.16 USD',
      'moonshot:kimi-k9-turbo': '1.15 8 0.15 USD',
      'moonshot:moonshot-v9-8k': '0.2 2 - USD',
    })
    expect(usd.records.every(({ is_witness }) => is_witness === true)).toBe(true)
    const cny = read('moonshot-page-cn', moonshotPageCn)
    expect(pricesOf(cny)).toEqual({
      'moonshot:cn:kimi-k9-code': '6.5 27 1.3 CNY',
      'moonshot:cn:kimi-k9-fast': '13 54 2.6 CNY',
    })
    expect(cny.records.some(({ is_witness }) => is_witness)).toBe(false)
  })

  const faults: [Name, string, string, string, RegExp][] = [
    ['moonshot-page', moonshotPage, '"kimi-k9"', '"Kimi K9"', /^Kimi K9: names no model by its id/],
    ['moonshot-page', moonshotPage, '"1M tokens"', '"1K tokens"', /is not priced by 1M tokens: 1K tokens/],
    ['moonshot-page', moonshotPage, '<>{"$"}0.95</>', '"-"', /Input Price \(Cache Miss\) is not "\$1.23": -/],
    [
      'moonshot-page',
      moonshotPage,
      '<>{"$"}0.95</>',
      '<b>0.95</b>',
      /^kimi-k9: has 1 cells under 6 headings/,
    ],
    [
      'moonshot-page',
      moonshotPage,
      '0.16</>, <>{"$"}0.95',
      '0.95</>, <>{"$"}0.16',
      /is not dearer from a hit/,
    ],
    ['moonshot-page-cn', moonshotPageCn, '<td>¥6.50</td>', '<td>¥6.60</td>', /is not what the script/],
    ['moonshot-page-cn', moonshotPageCn, '<td>¥6.50</td>', '<td>$6.50</td>', /is not "¥1.23": \$6.50/],
  ]
  test.each(faults)('%s refuses a row, %#', (name, page, was, is, reason) => {
    expect(refusedBy(name, page, was, is)).toEqual([expect.stringMatching(reason)])
  })

  test('with an unknown header, or without the sentence on the unit, are refused', () => {
    expect(() => read('moonshot-page', moonshotPage.replace('Cache Miss', 'Batch'))).toThrow(/unknown header/)
    expect(() => read('moonshot-page-cn', moonshotPageCn.replace('1M = 1,000,000', '1M'))).toThrow(/its unit/)
    expect(() => read('moonshot-page-cn', moonshotPage)).toThrow(/does not say/)
  })
})

describe("Voyage's page", () => {
  test('states a price by thousand and by million tokens, of several models in a row', () => {
    const reading = read('voyage-page', voyagePage)
    expect(pricesOf(reading)).toEqual({
      'voyage:voyage-9-large': '0.12 - - USD',
      'voyage:voyage-law-9': '0.18 - - USD',
      'voyage:voyage-code-9': '0.18 - - USD',
      'voyage:voyage-8': '0.06 - - USD',
      'voyage:rerank-9': '0.05 - - USD',
    })
    expect(reading.records.every(({ is_witness }) => is_witness === true)).toBe(true)
    expect(reading.records.map(({ modality }) => modality)).toEqual([
      ...['embedding', 'embedding', 'embedding', 'embedding', 'rerank'],
    ])
  })

  const faults: [string, string, string, RegExp[]][] = [
    ['a digit in one of the two', '$0.18', '$0.19', [/^voyage-law-9: 0.19 .* is not 0.00018/, /^voyage-code-9: /]],
    ['a footnote', '| $0.06', '| $0.06*', [/^voyage-8: Price per million tokens is not/]],
    ['a name in words', '`voyage-8`', 'Voyage 8', [/^Voyage 8: names no models by their ids/]],
    ['a name that stands twice', '`rerank-9`', '`voyage-8`', [/^voyage-8: is there twice/, /^voyage-8: is there twice/]],
    ['a missing cell', ' | $0.05', '', [/^rerank-9: has 2 cells under 3/]],
  ] // prettier-ignore
  test.each(faults)('%s refuses the row', (_, was, is, reasons) => {
    const refused = refusedBy('voyage-page', voyagePage, was, is)
    expect(refused).toEqual(reasons.map((reason) => expect.stringMatching(reason) as string))
    for (const reason of refused) expect(reason).toMatch(/bytes \d+ to \d+/)
  })

  test('with other headers alone is refused', () => {
    expect(() => read('voyage-page', voyagePage.replaceAll('per million', 'per billion'))).toThrow(
      /Found: "Model/,
    )
  })
})

describe("xAI's page", () => {
  test("has the API's integers, with long requests, under the model's name and its aliases", () => {
    const reading = read('xai-page', xaiPage)
    expect(pricesOf(reading)).toEqual({
      'xai:grok-9-0101': '3 15 0.75 USD',
      'xai:grok-9': '3 15 0.75 USD',
      'xai:grok-9-mini': '0.2 0.5 - USD',
    })
    expect(
      reading.records[0]?.rates.map(({ threshold, meter, amount }) => [threshold, meter, amount]),
    ).toEqual([
      [128_000, 'input_tokens', '6'],
      [128_000, 'output_tokens', '30'],
    ])
  })

  const faults: [string, Parameters<typeof buildXaiPage>, RegExp][] = [
    ['another price in a cluster', [[[grok, grokMini], [{ ...grok, cachedPromptTokenPrice: '8500' }, grokMini]]], /^grok-9-0101: is something else in another cluster/],
    ['another price in the table', [undefined, [['grok-9-0101', '$3.00$16.00']]], /^grok-9-0101: is shown at \$3.00\$16.00, and not at \$3.00\$15.00/],
    ['a price of another form', [[[{ ...grok, promptTextTokenPrice: '3.0' }, grokMini], [grok, grokMini]]], /^grok-9-0101: promptTextTokenPrice/],
    ['a model that stands once', [[[grok, grokMini], [grokMini]], []], /^grok-9-0101: is stated once/],
    ['an alias that is another model', [[[grok, { ...grokMini, aliases: ['grok-9'] }], [grok, { ...grokMini, aliases: ['grok-9'] }]], []], /^grok-9-0101: has a name that another model has, grok-9/],
  ] // prettier-ignore
  test.each(faults)('%s refuses the model', (_, page, reason) => {
    const { rejected, records } = read('xai-page', buildXaiPage(...page))
    const refused = rejected.map(({ id, reason }) => `${id}: ${reason}`)
    expect(refused[0]).toMatch(reason)
    expect(refused[0]).toMatch(/bytes \d+ to \d+/)
    expect(records.map(({ source_key }) => source_key)).not.toContain('grok-9')
  })

  test('without its data, or with data of another form, is refused', () => {
    for (const text of [
      xaiPage.replace('clusterConfigs', 'clusters'),
      buildXaiPage([[grok]]).replace('languageModels', 'models'),
      'grok',
    ])
      // prettier-ignore
      expect(() => read('xai-page', text)).toThrow(/"clusterConfigs", is not there or in another form/)
  })
})
