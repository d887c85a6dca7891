import { describe, expect, test } from 'vitest'
import { identify, findSeller } from './identify.ts'
import { linkAll, type Naming } from './linking.ts'
import { resourceKey } from './names.ts'

/** A row of a list: which list, where, and the id there. */
type Row = [source: string, seller: string, id: string]

function naming([source, seller, id]: Row, stated: Partial<Naming> = {}): Naming {
  const { resource_id, platform, region, vendor, name, isNamed } = identify(findSeller(seller), id)
  const read = { source, resource_id, platform, region, vendor, model_name: name, is_named: isNamed }
  return { ...read, product: null, modality: 'llm', ...stated }
}

function linksOf(namings: readonly Naming[]) {
  const links = linkAll(namings)
  return namings.map(({ resource_id }) => links.get(resourceKey(resource_id))!)
}

const productsOf = (...rows: Row[]) => linksOf(rows.map((row) => naming(row))).map((link) => link.product_id)

describe('products', () => {
  test("a maker's own rows are products, and its dated snapshots are those of their base model", () => {
    expect(
      productsOf(
        ['litellm', 'openai', 'gpt-4o'],
        ['litellm', 'openai', 'gpt-4o-2024-08-06'],
        ['litellm', 'anthropic', 'claude-3-haiku-20240307'],
        ['litellm', 'zai', 'GLM-5.2'],
      ),
    ).toEqual(['openai/gpt-4o', 'openai/gpt-4o', 'anthropic/claude-3-haiku', 'zai/glm-5.2'])
  })

  test('a short ending is a snapshot only where the name without it is a product', () => {
    expect(productsOf(['litellm', 'openai', 'gpt-4'], ['litellm', 'openai', 'gpt-4-0613'])).toEqual([
      'openai/gpt-4',
      'openai/gpt-4',
    ])
    expect(productsOf(['litellm', 'openai', 'chatgpt-4o-latest'])).toEqual(['openai/chatgpt-4o-latest'])
    expect(
      productsOf(['litellm', 'anthropic', 'claude-opus-4'], ['litellm', 'anthropic', 'claude-opus-4-1']),
    ).toEqual(['anthropic/claude-opus-4', 'anthropic/claude-opus-4-1'])
  })

  test('a snapshot is one product in all lists, though only one list has the base', () => {
    const products = productsOf(
      ['litellm', 'azure_ai', 'mistral-large-2411'],
      ['portkey', 'azure-ai', 'Mistral-Large-2411'],
      ['genai-prices', 'mistral', 'mistral-large-2411'],
      ['models.dev', 'mistral', 'mistral-large-latest'],
      ['portkey', 'vertex-ai', 'mistral-large@2411-001'],
      ['llm-prices', 'mistral', 'mistral-large'],
      ['portkey', 'mistral-ai', 'mistral-large'],
    )
    expect(new Set(products)).toEqual(new Set(['mistral/mistral-large']))
  })

  test('resellers are linked through maker, snapshot, version and punctuation', () => {
    const products = productsOf(
      ['litellm', 'anthropic', 'claude-3-5-sonnet-20241022'],
      ['litellm', 'bedrock', 'anthropic.claude-3-5-sonnet-20241022-v2:0'],
      ['litellm', 'vertex_ai-anthropic_models', 'claude-3-5-sonnet-v2@20241022'],
      ['litellm', 'openrouter', 'anthropic/claude-3.5-sonnet'],
      ['litellm', 'openrouter', 'anthropic/claude-3.5-sonnet:beta'],
      ['litellm', 'snowflake', 'claude-3-5-sonnet'],
      ['llm-prices', 'anthropic', 'claude-3.5-sonnet'],
    )
    expect(new Set(products)).toEqual(new Set(['anthropic/claude-3-5-sonnet']))
  })

  test("a maker's spelling wins, however many resellers spell otherwise", () => {
    const products = productsOf(
      ['litellm', 'openrouter', 'anthropic/claude-4.5-haiku'],
      ['portkey', 'snowflake', 'claude-haiku-4.5'],
      ['models.dev', 'poe', 'claude-haiku-4.5'],
      ['llm-prices', 'anthropic', 'claude-4.5-haiku'],
      ['genai-prices', 'anthropic', 'claude-haiku-4-5'],
    )
    expect(new Set(products)).toEqual(new Set(['anthropic/claude-haiku-4-5']))
  })

  test('where no maker sells a model, what several call it is the product, and a host adds nothing to it', () => {
    const products = productsOf(
      ['litellm', 'groq', 'meta-llama/llama-4-maverick-17b-128e-instruct'],
      ['models.dev', 'novita-ai', 'meta-llama/Llama-4-Maverick-17B-128E-Instruct'],
      ['litellm', 'together_ai', 'meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8'],
      ['litellm', 'lambda_ai', 'llama-4-maverick-17b-128e-instruct-fp8'],
    )
    expect(new Set(products)).toEqual(new Set(['meta/llama-4-maverick-17b-128e-instruct']))
  })

  test('a name that one host alone gives is no product, nor is a router’s moving alias', () => {
    expect(
      productsOf(
        ['litellm', 'openai', 'gpt-4o'],
        ['openrouter', 'openrouter', 'openai/gpt-4o-preview'],
        // Copies of one list.
        ['models.dev', 'openrouter', 'openai/gpt-4o-preview'],
        ['portkey', 'openrouter', 'openai/gpt-4o-preview'],
        ['openrouter', 'openrouter', '~anthropic/claude-haiku-latest'],
        ['models.dev', 'kilo', '~anthropic/claude-haiku-latest'],
        ['openrouter', 'openrouter', 'nobody95/gpt-4o'],
      ).slice(1),
    ).toEqual([null, null, null, null, null, null])
  })

  test('a list that invents ids makes no product alone', () => {
    expect(productsOf(['llm-prices', 'openai', 'gpt-image-2-text'])).toEqual([null])
  })

  test('sizes and variants are products of their own', () => {
    const names = ['8b-instruct', '70b-instruct', '8b', '8b-instruct-vision', '8b-coder', '8b-distill']
    const rows = names.flatMap((name): Row[] => [
      ['litellm', 'groq', `meta-llama/llama-3.1-${name}`],
      ['models.dev', 'together', `meta-llama/llama-3.1-${name}`],
    ])
    expect(new Set(productsOf(...rows)).size).toBe(names.length)
  })

  test('a named model is a product though its maker does not sell it here', () => {
    const named = identify(findSeller('poe'), 'nine', 'nvidia/nemotron-9-20260801')
    const nine: Naming = {
      ...naming(['models.dev', 'poe', 'nine']),
      vendor: named.vendor,
      model_name: named.name,
      is_named: true,
    }
    const links = linksOf([nine, naming(['litellm', 'deepinfra', 'nvidia/Nemotron-9-FP8'])])
    expect(links.map((link) => link.product_id)).toEqual(['nvidia/nemotron-9', 'nvidia/nemotron-9'])
  })

  test('an operator names the product of his own row, and meets the one that is known', () => {
    const links = linksOf([
      naming(['own-json', 'acme', 'house-model'], { product: 'acme/Alpha-2' }),
      naming(['own-json', 'acme', 'sonnet'], { product: 'anthropic/claude-3.5-sonnet' }),
      naming(['litellm', 'anthropic', 'claude-3-5-sonnet-20241022']),
    ])
    expect(links.map(({ product_id, vendor }) => [product_id, vendor])).toEqual([
      ['acme/Alpha-2', 'acme'],
      ['anthropic/claude-3-5-sonnet', 'anthropic'],
      ['anthropic/claude-3-5-sonnet', 'anthropic'],
    ])
  })
})

describe('vendors', () => {
  const vendorsOf = (...rows: Row[]) => linksOf(rows.map((row) => naming(row))).map((link) => link.vendor)

  test('an unknown maker is the one whom others name for the same model', () => {
    expect(
      vendorsOf(
        ['litellm', 'openrouter', 'gryphe/mythomax-l2-13b'],
        ['portkey', 'novita-ai', 'mythomax-l2-13b'],
        ['litellm', 'gmi', 'search'],
        ['litellm', 'exa_ai', 'search'],
      ),
    ).toEqual(['gryphe', 'gryphe', 'unknown', 'exa_ai'])
  })

  test('of two makers of one name the one who sells it is right, then the one whom most name', () => {
    expect(
      vendorsOf(
        ['litellm', 'together_ai', 'togethercomputer/llama-2-70b-chat'],
        ['portkey', 'deepinfra', 'meta-llama/llama-2-70b-chat'],
        ['models.dev', 'replicate', 'meta/llama-2-70b-chat'],
      ),
    ).toEqual(['meta', 'meta', 'meta'])
  })

  test('a name that two makers sell themselves is both’s', () => {
    expect(
      vendorsOf(
        ['litellm', 'stability', 'erase-2'],
        ['litellm', 'recraft', 'erase-2'],
        ['portkey', 'fal-ai', 'erase-2'],
      ),
    ).toEqual(['stability', 'recraft', 'unknown'])
  })
})

describe('modalities', () => {
  const modalityOf = (...stated: [Row, Naming['modality']][]) =>
    new Set(linksOf(stated.map(([row, modality]) => naming(row, { modality }))).map((link) => link.modality))

  test('a list that knows what a model is for counts more than one that knows tokens', () => {
    expect(
      modalityOf(
        [['genai-prices', 'voyage', 'voyage-3'], 'llm'],
        [['litellm', 'voyage', 'voyage-3'], 'embedding'],
        [['models.dev', 'vercel', 'voyage/voyage-3'], 'llm'],
      ),
    ).toEqual(new Set(['embedding']))
  })

  test('a name that says embed is no llm, whoever says so', () => {
    expect(modalityOf([['genai-prices', 'cohere', 'embed-v4.0'], 'llm'])).toEqual(new Set(['embedding']))
    expect(modalityOf([['genai-prices', 'openai', 'text-embedding-3-small'], 'llm'])).toEqual(
      new Set(['embedding']),
    )
  })

  test('one odd row makes no chat model an embedding', () => {
    expect(
      modalityOf(
        [['litellm', 'openai', 'gpt-9'], 'embedding'],
        [['genai-prices', 'openai', 'gpt-9'], 'llm'],
        [['llm-prices', 'openai', 'gpt-9'], 'llm'],
        [['portkey', 'openai', 'gpt-9'], 'llm'],
      ),
    ).toEqual(new Set(['llm']))
  })
})

test('the order of claims changes nothing', () => {
  const rows: Row[] = [
    ['llm-prices', 'anthropic', 'claude-3.5-haiku'],
    ['genai-prices', 'anthropic', 'claude-3-5-haiku-latest'],
    ['models.dev', 'poe', 'claude-haiku-3.5'],
    ['litellm', 'together_ai', 'togethercomputer/llama-2-7b'],
    ['portkey', 'replicate', 'meta/llama-2-7b'],
    ['litellm', 'azure', 'gpt-35-turbo-1106'],
    ['portkey', 'azure', 'gpt-3.5-turbo-1106'],
    ['openrouter', 'openrouter', 'openai/gpt-3.5-turbo'],
    ['openrouter', 'openrouter', 'constructor/__proto__'],
  ]
  const namings = rows.map((row, index) => naming(row, { modality: index % 2 === 0 ? 'llm' : 'image' }))
  const sorted = (all: readonly Naming[]) => [...linkAll(all)].sort(([a], [b]) => (a < b ? -1 : 1))
  for (let turn = 0; turn < rows.length; turn++)
    expect(sorted([...namings.slice(turn), ...namings.slice(0, turn)])).toEqual(sorted(namings.toReversed()))
  expect(sorted([...namings, ...namings])).toEqual(sorted(namings))
})
