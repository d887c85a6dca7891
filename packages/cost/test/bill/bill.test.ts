import { describe, expect, it, test } from 'vitest'
import { compareBill, readBill } from '../../src/bill.ts'
import { Catalog } from '../../src/index.ts'
import { snapshot } from './prices.ts'

const catalog = new Catalog(snapshot)
const day = '2026-09-03'
const start = Date.parse(day) / 1_000

type Item = [line: string | null, dollars: number, more?: object]

/** Amounts have sixteen decimals, as in OpenAI's CSV; where a number is written, it has those that it has. */
function costs(items: readonly Item[], page: object = {}): string {
  const results = items.map(([line_item, value, more]) => ({
    ...{
      object: 'organization.costs.result',
      amount: { value: value.toFixed(16), currency: 'usd' },
      line_item,
      project_id: null,
    },
    ...more,
  }))
  const bucket = { object: 'bucket', start_time: start, end_time: start + 86_400, results }
  return JSON.stringify({ object: 'page', data: [bucket], has_more: false, next_page: null, ...page })
}

function call(model: string, input: number, output: number, more: object = {}, at = `${day}T10:00:00Z`) {
  const usage = {
    ...{ input_tokens: input, input_tokens_details: { cached_tokens: 0 }, output_tokens: output },
    ...{ output_tokens_details: { reasoning_tokens: 0 }, total_tokens: input + output },
  }
  return { at, answer: { model, usage, ...more } }
}

const compare = (bill: string, ...log: unknown[]) => compareBill(readBill(bill), { catalog, log: () => log })
const rows = async (bill: string, ...log: unknown[]) => {
  const { rows } = await compare(bill, ...log)
  return rows.map(({ model, item, state, causes, wouldFit }) => [
    model ?? item,
    state,
    causes.map(({ kind }) => kind).join(),
    wouldFit.length,
  ])
}

const mini = 'gpt-5-mini-2025-08-07'

describe('what is named', () => {
  test('nothing where the amounts are the same', async () => {
    const bill = costs([
      [`${mini}, input`, 0.00025],
      [`${mini}, output`, 0.0002],
    ])
    expect(await compare(bill, call(mini, 1_000, 100))).toMatchObject({
      ...{ isEqual: true, billed: '0.00045', computed: '0.00045', difference: '0' },
      rows: [{ day, model: mini, state: 'equal', causes: [], calls: 1 }],
    })
  })

  test('a binary number has dust, and that is no difference', async () => {
    const bill = costs([
      [`${mini}, input`, 0.1 + 0.2],
      [`${mini}, output`, 2],
    ])
    expect(await compare(bill, call(mini, 1_200_000, 1_000_000))).toMatchObject({ isEqual: true })
  })

  it('is not one of two that fit: half the tokens of one meter are a batch, or are missing', async () => {
    const embedding = 'text-embedding-3-small'
    const log = {
      at: `${day}T01:00:00Z`,
      answer: {
        model: embedding,
        usage: { prompt_tokens: 2_000, total_tokens: 2_000, completion_tokens_details: {} },
      },
    }
    expect(await rows(costs([[`${embedding}, input`, 0.00002]]), log)).toEqual([
      [embedding, 'unexplained', '', 2],
    ])
    // Where the bill says how many, only one is left.
    const counted = costs([[`${embedding}, input`, 0.00002, { quantity: 2_000, quantity_unit: 'tokens' }]])
    expect(await rows(counted, log)).toEqual([[embedding, 'explained', 'tier', 0]])
  })

  it('is a missing request only if its tokens are whole, and of in- and output', async () => {
    const input = [`${mini}, input`, 0.0005] as const
    expect(await rows(costs([[...input], [`${mini}, output`, 0.00032]]), call(mini, 1_000, 100))).toEqual([
      [mini, 'explained', 'missing_in_log', 0],
    ])
    expect(await rows(costs([[...input], [`${mini}, output`, 0.0003201]]), call(mini, 1_000, 100))).toEqual([
      [mini, 'unexplained', '', 1],
    ])
    expect(await rows(costs([[...input], [`${mini}, output`, 0.0002]]), call(mini, 1_000, 100))).toEqual([
      [mini, 'unexplained', '', 1],
    ])
  })

  it('is a request that is not on the bill, or a batch, by which of the calls it is', async () => {
    const tokens = [
      [1_000, 600],
      [2_200, 84],
      [468, 1_002],
      [3_416, 58],
      [90, 704],
      [1_888, 20],
    ] as const
    const log = tokens.map(([input, output]) => call(mini, input, output))
    const billOf = (weights: readonly number[]) => {
      const sum = (at: 0 | 1) => tokens.reduce((all, pair, index) => all + pair[at] * weights[index]!, 0)
      return costs([
        [`${mini}, input`, (sum(0) * 0.25) / 1e6],
        [`${mini}, output`, (sum(1) * 2) / 1e6],
      ])
    }
    expect(await rows(billOf([1, 0, 1, 1, 0, 1]), ...log)).toEqual([
      [mini, 'explained', 'missing_on_bill', 0],
    ])
    expect(await rows(billOf([0.5, 1, 1, 0.5, 1, 0.5]), ...log)).toEqual([[mini, 'explained', 'tier', 0]])
    // Both at once: which of them nobody can tell.
    expect(await rows(billOf([0.5, 0, 1, 1, 1, 1]), ...log)).toMatchObject([[mini, 'unexplained', '', 2]])
  })

  it('is not a missing request where the same is billed under another name', async () => {
    const bill = costs([
      ['gpt-4o-2024-08-06, input', 0.0025],
      ['gpt-4o-2024-08-06, output', 0.001],
    ])
    const twice = await compareBill(readBill(bill), {
      ...{ catalog, deployments: { 'my-gpt': 'gpt-4o-2024-08-06' } },
      log: () => [call('my-gpt', 1_000, 100)],
    })
    expect(twice.rows.map(({ causes }) => causes)).toEqual([[], []])
    expect(twice.rows[0]!.wouldFit.at(-1)).toContain('under another name')
  })

  it('is every line that no documentation has, with its text', async () => {
    const bill = costs([
      ['Vector storage', 1.5],
      ['priority | gpt-4o-2024-08-06, output', 0.02],
      [`flux | ${mini}, input`, 1],
    ])
    const found = await compare(bill, call('gpt-4o-2024-08-06', 0, 1_000, { service_tier: 'priority' }))
    expect(found.rows).toMatchObject([
      { model: 'gpt-4o-2024-08-06', state: 'equal' },
      { item: 'Vector storage', causes: [{ kind: 'unknown_line_item', amount: '1.5' }] },
      { item: `flux | ${mini}, input`, causes: [{ kind: 'unknown_line_item' }] },
    ])
  })

  test('a total of a day says little, and what would say more', async () => {
    const [row] = (await compare(costs([[null, 0.001]]), call(mini, 1_000, 100))).rows
    expect(row).toMatchObject({
      model: null,
      state: 'unexplained',
      wouldFit: expect.arrayContaining(['more can be said of a bill by line item']) as string[],
    })
  })

  test('what has no price is not free', async () => {
    const found = await compare(costs([['gpt-99, input', 1]]), call('gpt-99', 10, 10))
    expect(found).toMatchObject({
      isEqual: false,
      rows: [{ isWhole: false, state: 'unexplained', unpriced: [expect.stringContaining('gpt-99')] }],
    })
  })
})

describe("names of the console are the API's", () => {
  const header =
    'usage_date_utc,model,workspace,api_key,usage_type,context_window,token_type,cost_usd,list_price_usd,cost_type,inference_geo,speed'
  const bill = [
    header,
    `${day},Claude Haiku 4.5,"Team, ""A""",k,message,≤ 200k,input_no_cache,0.10,0.10,token,global,`,
    `${day},Claude Haiku 4.5,Default,k,message,≤ 200k,output,0.50,0.50,token,global,`,
  ].join('\r\n')
  const message = (input_tokens: number) => ({
    at: `${day}T10:00:00Z`,
    answer: {
      type: 'message',
      model: 'claude-haiku-4-5-20251001',
      usage: { input_tokens, output_tokens: 100_000, cache_read_input_tokens: 0 },
    },
  })

  test('and cents are rounded', async () => {
    const found = await compare(bill, message(104_000))
    expect(found).toMatchObject({
      isEqual: true,
      rows: [{ model: 'Claude Haiku 4.5', causes: [{ kind: 'rounding', amount: '-0.004' }] }],
    })
    expect(await compare(bill, message(106_000))).toMatchObject({ isEqual: false })
  })
})

describe('what is refused, with a sentence', () => {
  const bad = (text: string, message: RegExp) => expect(() => readBill(text)).toThrow(message)

  test('bills that are none, or not all of it', () => {
    bad('{"a":1}', /says no time/)
    bad('a,b\n1,2', /says no day/)
    bad('start_time,b\n1,2', /no bill that is known: start_time, b/)
    bad(costs([], { has_more: true }), /fetch the pages after it/)
    bad(costs([]), /no line/)
    bad(
      costs([
        ['x', 1],
        [null, 2, { amount: { value: 1, currency: 'eur' } }],
      ]),
      /USD and EUR: split it/,
    )
    bad(costs([['x', 1, { amount: { value: 'much', currency: 'usd' } }]]), /"much" is no amount/)
    bad('amount_value,start_time\n"1', /quotation mark/)
    bad('amount_value,start_time\n1', /Row 2 has 1 fields/)
    bad(JSON.stringify([{ start_time: 0, end_time: 864_000, results: [{}] }]), /longer than a day/)
    bad(`{"data":[]}\n{"data":`, /Line 2 of the bill is no JSON/)
  })

  test('calls without a time, and ones in another currency than the bill', async () => {
    const bill = costs([[`${mini}, input`, 1]])
    await expect(compare(bill, { ...call(mini, 1, 1), at: undefined })).rejects.toThrow(
      /Call 1 of the log: It says no time/,
    )
    await expect(compare(bill, { at: day, answer: { usage: {} } })).rejects.toThrow(/Call 1 of the log/)
    const euros = bill.replaceAll('"usd"', '"eur"')
    await expect(compare(euros, call(mini, 1, 1))).rejects.toThrow(
      /in EUR, and the catalog's price .* in USD: they are not mixed/,
    )
  })
})

test('fields that are not documented are told', () => {
  expect(readBill(costs([[`${mini}, input`, 1, { discount: 0.1 }]])).unread).toEqual(['discount'])
})

test('only the days of the bill are compared', async () => {
  const found = await compare(
    costs([
      [`${mini}, input`, 0.00025],
      [`${mini}, output`, 0.0002],
    ]),
    call(mini, 1_000, 100),
    call(mini, 9, 9, {}, '2026-09-04T00:00:00Z'),
  )
  expect(found).toMatchObject({ isEqual: true, left: { otherDays: 1 }, firstDay: day, lastDay: day })
})

test("Anthropic's costs leave out the priority tier, and so does the comparison", async () => {
  const result = {
    currency: 'USD',
    amount: '0.1000000000',
    description: 'x',
    cost_type: 'tokens',
    model: 'claude-haiku-4-5-20251001',
  }
  const results = [
    { ...result, service_tier: 'standard', token_type: 'uncached_input_tokens', context_window: '0-200k' },
  ]
  const data = [{ starting_at: `${day}T00:00:00Z`, ending_at: '2026-09-04T00:00:00Z', results }]
  const message = (service_tier: string) => ({
    at: `${day}T10:00:00Z`,
    answer: {
      type: 'message',
      model: result.model,
      usage: { input_tokens: 1_000, output_tokens: 0, service_tier },
    },
  })
  const found = await compare(
    JSON.stringify({ data, has_more: false }),
    message('standard'),
    message('priority'),
  )
  expect(found).toMatchObject({ isEqual: true, calls: 1, left: { notReported: 1 } })
})

test('pages a line each are one bill', async () => {
  const pages = [
    costs([[`${mini}, input`, 0.00025]], { has_more: true }),
    costs([[`${mini}, output`, 0.0002]]),
  ].join('\n')
  expect(await compare(pages, call(mini, 1_000, 100))).toMatchObject({ isEqual: true })
})
