import { describe, expect, it, test } from 'vitest'
import { companyName, modelName } from '../src/model-name.js'
import { findAll, nearSearch, toSearchText, type Searched } from '../src/model-search.js'

/** A model's name, and what else is known of it. */
const model = (name: string, ...others: string[]): Searched => ({
  name: toSearchText(name),
  all: toSearchText([name, ...others].join(' ')),
})

const models = {
  'gpt-4o': model('gpt-4o', 'openai', 'OpenAI', 'Microsoft Azure', 'azure:gpt-4o'),
  'gpt-4o-mini': model('gpt-4o-mini', 'openai', 'OpenAI'),
  'gpt-4.1': model('gpt-4.1', 'openai', 'OpenAI'),
  'claude-sonnet-4-5': model(
    'claude-sonnet-4-5',
    'anthropic',
    'bedrock:anthropic.claude-sonnet-4-5-20250929',
  ),
  'claude-3-5-sonnet': model('claude-3-5-sonnet', 'anthropic', 'claude-3-5-sonnet-20241022'),
  'gemini-2.5-pro': model('gemini-2.5-pro', 'google', 'Google', 'Google Vertex AI'),
  'o3-mini': model('o3-mini', 'openai'),
  'command-r': model('command-r', 'cohere'),
  'command-r-plus': model('command-r-plus', 'cohere'),
  größe: model('größe-1', 'größenwahn'),
}
const names = Object.keys(models)
const found = (text: string) => findAll(Object.values(models), text).map((place) => names[place])

describe('the search', () => {
  it.each<[string, string[]]>([
    ['gpt4o', ['gpt-4o', 'gpt-4o-mini']],
    ['GPT 4o', ['gpt-4o', 'gpt-4o-mini']],
    ['gpt-4', ['gpt-4o', 'gpt-4o-mini', 'gpt-4.1']],
    ['gpt-4o-mini', ['gpt-4o-mini']],
    ['mini gpt', ['gpt-4o-mini']],
    ['o3', ['o3-mini']],
    ['claude sonnet 4.5', ['claude-sonnet-4-5']],
    ['Claude 3.5 Sonnet', ['claude-3-5-sonnet']],
    ['sonnet 2024', ['claude-3-5-sonnet']],
    ['sonnet 20250929', ['claude-sonnet-4-5']],
    ['azure gpt-4o', ['gpt-4o']],
    ['vertex', ['gemini-2.5-pro']],
    ['gpt41', ['gpt-4.1']],
    ['gpt4omini', ['gpt-4o-mini']],
    ['Gem ini 2.5', ['gemini-2.5-pro']],
    ['claudesonnet', ['claude-sonnet-4-5']],
    ['command r+', ['command-r-plus']],
    ['GRÖSSE', []],
    ['größe', ['größe']],
    ['gemni', []],
    ['...', names],
    ['', names],
  ])('for “%s” finds what is meant, the nearest name first', (text, expected) => {
    expect(found(text)).toEqual(expected)
  })

  test('what bears all words in their order comes before what bears them otherwise, with words between or not', () => {
    const flash = ['flash-gemini', 'gemini-flashy', 'gemini-3-flash', 'gemini-flash-1.5', 'my-gemini-flash']
    const places = findAll(
      flash.map((name) => ({ name: toSearchText(name), all: toSearchText(`google/${name}`) })),
      'gemini flash',
    )
    expect(places.map((place) => flash[place])).toEqual([
      ...['gemini-3-flash', 'gemini-flash-1.5', 'my-gemini-flash'],
      ...['flash-gemini', 'gemini-flashy'],
    ])
  })

  test('reads no more than is a search', () => {
    expect(found('x '.repeat(1_000_000))).toEqual([])
    expect(nearSearch(Object.values(models), 'geminy '.repeat(100_000))).not.toBeNull()
  })

  it.each([
    ['gemni', 'gemini'],
    ['Claud Sonet', 'claude sonnet'],
    ['gemni2.5', 'gemini2.5'],
    ['gpt', null],
    ['xyzzy', null],
    ['', null],
  ])('for “%s”, which finds nothing, offers %s', (text, near) => {
    expect(nearSearch(Object.values(models), text)).toBe(near)
  })
})

describe('a name for people', () => {
  it.each([
    ['google/gemini-2.5-pro', 'Gemini 2.5 Pro'],
    ['anthropic/claude-sonnet-4-5', 'Claude Sonnet 4.5'],
    ['openai/gpt-4o-mini', 'GPT-4o Mini'],
    ['meta/llama-3.1-70b-instruct', 'Llama 3.1 70B Instruct'],
    ['x/constructor', 'Constructor'],
    ['', ''],
  ])('of %s is %s', (id, name) => {
    expect(modelName(id)).toBe(name)
  })

  it.each([
    ['bedrock', 'Amazon Bedrock'],
    ['some-new_shop', 'Some New Shop'],
    ['constructor', 'Constructor'],
  ])('of the company %s is %s', (id, name) => {
    expect(companyName(id)).toBe(name)
  })
})
