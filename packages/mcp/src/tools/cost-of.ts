import { costOf, type Cost, type ResolveOptions } from '@ratecard/cost'
import { readerNames } from '@ratecard/cost/readers'
import { z } from 'zod'
import { plain, stampSchema, stampText, words, type Said } from '../answer.ts'
import { ToolError } from '../errors.ts'
import { buildStamp, type PriceSource } from '../prices.ts'
import { resolveName } from '../resolve-name.ts'

const usageCharsMax = 65_536

const input = z.strictObject({
  usage: z
    .record(z.string(), z.unknown())
    .optional()
    .describe('the answer of a vendor, or its usage object, as it is'),
  counts: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'instead of usage, each token counted once: {"input_tokens":900,"cached_input_tokens":100,"cache_write_tokens":{"1h":50},"output_tokens":20}',
    ),
  model: words(512).optional().describe('instead of what the answer says; needed where it says nothing'),
  platform: words(100).optional().describe('who is paid: openai, bedrock, vertex_ai, azure, openrouter, …'),
  reader: z.enum(readerNames).optional().describe('who wrote the usage, where its fields do not tell'),
  tier: words(100).optional().describe('batch, flex, priority, …'),
  region: words(100).optional(),
  at: words(40).optional().describe('when it was used, RFC 3339'),
  prefer_reported: z.boolean().optional().describe('the cost that the provider reports is the total'),
})

const line = z.object({
  meter: z.string(),
  variant: z.string().nullable(),
  count: z.string(),
  unit: z.string(),
  rate: z.string(),
  amount: z.string(),
  tier: z.string().nullable(),
  threshold: z.number().nullable(),
  billed_as: z.string(),
  resource_id: z.string(),
})

const output = z.object({
  is_whole: z.boolean().describe('everything has a price'),
  total: z.string().nullable().describe('exact; null where something has no price, which is not 0'),
  at_least: z.string().nullable().describe('the sum of what has a price, where not all has'),
  currency: z.string().nullable(),
  source: z.enum(['catalog', 'reported']),
  reported: z.object({ amount: z.string(), currency: z.string() }).nullable(),
  lines: z.array(line),
  unpriced: z.array(
    z.object({
      meter: z.string(),
      variant: z.string().nullable(),
      count: z.string(),
      reason: z.string(),
      message: z.string(),
    }),
  ),
  resource_id: z.string().nullable(),
  rule: z.string().nullable(),
  candidates: z.array(z.string()),
  doubts: z.array(z.string()).describe('what makes the figure less sure than it looks; tell it to the user'),
  catalog: stampSchema,
})

type Asked = z.output<typeof input>

export const costOfTool = {
  name: 'cost_of',
  title: 'What a use of a model costs',
  description:
    'The exact cost of a usage object of OpenAI, Anthropic, Gemini, Bedrock, Mistral, DeepSeek, xAI, Cohere, OpenRouter, LiteLLM, the Vercel AI SDK or OpenTelemetry, or of counts: each line with its rate. What has no price is unpriced with the reason, and there is no total then.',
  input,
  output,
  run: (source: PriceSource) => async (asked: Asked) => priced(asked, source),
}

async function priced(asked: Asked, source: PriceSource): Promise<Said<z.input<typeof output>>> {
  const { platform, reader, tier, region, at, prefer_reported: preferReported } = asked
  const usage = givenUsage(asked)
  const prices = await source.get()
  const { catalog } = prices
  const cost = costOf(usage, {
    catalog,
    model: asked.model === undefined ? undefined : spelledModel(asked.model, { catalog, platform, region }),
    platform,
    reader,
    tier,
    region,
    at,
    preferReported,
  })
  const structured = toStructured(cost, buildStamp(prices))
  return { structured, text: formatText(structured) }
}

/** @throws ToolError where there is none, or two */
function givenUsage({ usage, counts }: Asked): Record<string, unknown> {
  if (usage !== undefined && counts !== undefined)
    throw new ToolError('Give "usage" or "counts", and not both: they would be two uses.')
  const given = usage ?? (counts && { counts })
  if (given === undefined)
    throw new ToolError(
      'Nothing says what was used. Give "usage", the usage object of an answer, or "counts" such as {"input_tokens":900,"output_tokens":20}.',
    )
  if (JSON.stringify(given).length > usageCharsMax)
    throw new ToolError('"usage" has more than 64 KB. Give the usage object of the answer alone.')
  return given
}

/** A name for people is told to the engine as the record that it means; it knows all others itself. */
function spelledModel(name: string, where: ResolveOptions): string {
  const found = resolveName(name, where)
  return found.rule === 'display_name' ? found.record.resource_id : name
}

function toStructured(cost: Cost, catalog: z.input<typeof stampSchema>): z.input<typeof output> {
  const { isWhole, total, currency, source, reported, resourceId, rule, candidates, doubts } = cost
  return {
    is_whole: isWhole,
    total,
    at_least: cost.isWhole ? null : cost.atLeast,
    currency,
    source,
    reported,
    lines: cost.lines.map((one) => ({
      meter: one.meter,
      variant: one.variant,
      count: one.count,
      unit: one.unit,
      rate: one.rate,
      amount: one.amount,
      tier: one.tier,
      threshold: one.threshold,
      billed_as: one.billedAs,
      resource_id: one.resourceId,
    })),
    unpriced: cost.unpriced.map(({ meter, variant, count, reason, message }) => ({
      meter,
      variant,
      count,
      reason,
      // This tool takes no overrides.
      message: message.replace(', or give it a rate in "overrides"', ''),
    })),
    resource_id: resourceId,
    rule,
    candidates: [...candidates],
    doubts: [...doubts],
    catalog,
  }
}

function formatText(cost: z.input<typeof output>): string {
  const { total, at_least: least, currency, lines, unpriced, candidates, doubts, resource_id: id } = cost
  const named = (meter: string, variant: string | null) =>
    plain(variant === null ? meter : `${meter} (${variant})`)
  const sum =
    total !== null
      ? `Total: ${total} ${currency ?? ''}${cost.source === 'reported' ? ', as the provider reports' : ''}`
      : `No total: something has no price. What has one is ${least} ${currency ?? ''}`
  return [
    sum.trimEnd(),
    id === null ? 'No record.' : `Record: ${plain(id)}`,
    ...lines.map(
      (one) =>
        `  ${named(one.meter, one.variant)}: ${one.count} at ${one.rate} per ${one.unit} = ${one.amount}`,
    ),
    ...unpriced.map(
      (one) => `  ${named(one.meter, one.variant)}: ${one.count}, unknown: ${plain(one.message)}`,
    ),
    ...(candidates.length > 0 ? [`Candidates: ${plain(candidates.join(', '))}`] : []),
    ...(doubts.length > 0 ? [`In doubt: ${doubts.join(', ').replaceAll('_', ' ')}`] : []),
    stampText(cost.catalog),
  ].join('\n')
}
