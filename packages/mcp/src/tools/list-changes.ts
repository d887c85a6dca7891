import { parseAgo } from '@ratecard/contract/instant'
import type { ListedChange, Page, Ratecard } from '@ratecard/sdk'
import { z } from 'zod'
import { plain, short, words, type Said } from '../answer.ts'
import { AnswerCache, type Budget } from '../budget.ts'
import { ToolError } from '../errors.ts'

const limitUsual = 10
const limitMax = 50
const movesMax = 10
const summaryCharsMax = 400

const input = z.strictObject({
  vendor: words(100).optional().describe('who made the model: openai, anthropic, …'),
  product: words(300).optional().describe('the product, such as openai/gpt-4o-mini'),
  category: words(50)
    .optional()
    .describe(
      'price_cut, price_rise, model_added, model_removed, deprecation, tier_change, correction, incident',
    ),
  min_severity: z.int().min(1).max(5).optional(),
  include_incidents: z.boolean().optional(),
  since: words(40).optional().describe('only what moved since: 90m, 24h, 7d, or RFC 3339 with an offset'),
  limit: z.int().min(1).max(limitMax).default(limitUsual),
  cursor: words(2_000).optional().describe('next_cursor of the page before, with the same filters'),
})

const text = z.string().nullable()
const output = z.object({
  changes: z.array(
    z.object({
      id: z.string(),
      vendor: z.string(),
      product: z.string(),
      category: z.string(),
      severity: z.number(),
      title: z.string(),
      summary: z.string(),
      status: text,
      effective_time: text,
      migration_deadline: text,
      updated_at: z.string(),
      access: z.string().describe('summary: the plan withholds the values'),
      moves: z
        .array(z.object({ resource_id: z.string(), field: z.string(), before: text, after: text }))
        .describe('what moved, as JSON; null is not stated'),
      alternatives: z.array(z.string()),
    }),
  ),
  next_cursor: text,
  asked_at: z.string(),
  requests_used: z.number().int().describe('of the daily quota: 0 for an answer of the last minute'),
  quota: z
    .object({ limit: z.number(), remaining: z.number(), resets_at: text })
    .nullable()
    .describe('where the quota of the key stood when this was asked'),
})

type Asked = z.output<typeof input>
type Structured = z.input<typeof output>

const noKey =
  'Changes come from a Ratecard server with a key, and none is set. Set RATECARD_BASE_URL and RATECARD_API_KEY in the configuration of this server ("env"), and start it again.'

interface Asking {
  readonly client: Ratecard | null
  readonly budget: Budget
}

export const listChanges = {
  name: 'list_changes',
  title: 'What vendors changed',
  description:
    'Price changes, new and retired models and deprecations, newest first. Each new question uses one request of the daily quota of the key. Needs a key of a plan with changes. No other tool uses requests.',
  input,
  output,
  isOpenWorld: true,
  run: ({ client, budget }: Asking) => {
    const cache = new AnswerCache<{ page: Page<ListedChange>; askedAt: string }>()
    return async (asked: Asked): Promise<Said<Structured>> => {
      if (client === null) throw new ToolError(noKey)
      const ask = async () => {
        budget.take()
        const { include_incidents: includeIncidents, min_severity: minSeverity, since, ...filters } = asked
        const page = await client.changes.list({
          ...filters,
          since: since && (parseAgo(since) ?? since),
          includeIncidents,
          minSeverity,
        })
        return { page, askedAt: new Date().toISOString() }
      }
      const { answer, isKept } = await cache.get(JSON.stringify(asked), ask)
      const structured = toStructured(answer.page, answer.askedAt, isKept)
      return { structured, text: formatText(structured) }
    }
  },
}

function toStructured(page: Page<ListedChange>, askedAt: string, isKept: boolean): Structured {
  const { rateLimit } = page
  return {
    changes: page.data.map((change) => ({
      id: change.id,
      vendor: change.vendor,
      product: change.product,
      category: change.category,
      severity: change.severity,
      title: short(change.title, 200),
      summary: short(change.summary, summaryCharsMax),
      status: change.status ?? null,
      effective_time: change.effective_time ?? null,
      migration_deadline: change.migration_deadline ?? null,
      updated_at: change.updated_at,
      access: change.access,
      moves: listMoves(change),
      alternatives: (change.alternatives ?? []).slice(0, 5).map(({ product_id: id }) => short(id, 200)),
    })),
    next_cursor: page.nextCursor ?? null,
    asked_at: askedAt,
    requests_used: isKept ? 0 : 1,
    quota: rateLimit
      ? {
          limit: rateLimit.limit,
          remaining: rateLimit.remaining,
          resets_at: rateLimit.resetAt?.toISOString() ?? null,
        }
      : null,
  }
}

function listMoves({ diff }: ListedChange): Structured['changes'][number]['moves'] {
  const { before, after, keys = [] } = diff
  return keys.slice(0, movesMax).map((key) => {
    const [, id = key, field = ''] = /^(.*)#([^#]*)$/.exec(key) ?? []
    const readValue = (values: typeof before) => {
      const value = values?.[id]?.[field]
      return value === undefined ? null : short(JSON.stringify(value), 200)
    }
    return {
      resource_id: short(id, 200),
      field: short(field, 100),
      before: readValue(before),
      after: readValue(after),
    }
  })
}

function formatText({
  changes,
  next_cursor: cursor,
  asked_at: askedAt,
  requests_used: used,
  quota,
}: Structured): string {
  const lines = changes.flatMap(({ category, title, summary, updated_at, effective_time, moves }) => [
    `${plain(category)}: ${title} (${updated_at.slice(0, 10)}${effective_time ? `, in effect ${effective_time.slice(0, 10)}` : ''})`,
    ...(summary === '' || summary === title ? [] : [`  ${summary}`]),
    ...moves.map(
      ({ resource_id, field, before, after }) =>
        `  ${resource_id} ${field}: ${before ?? 'not stated'} > ${after ?? 'not stated'}`,
    ),
  ])
  const left = quota === null ? '' : `, and ${quota.remaining} of ${quota.limit} are left today`
  return [
    ...(changes.length === 0 ? ['No change has all of this.'] : lines),
    ...(cursor === null ? [] : [`More: cursor ${cursor}`]),
    `Asked at ${askedAt}. This call used ${used === 1 ? '1 request' : 'no request'} of the quota${left}.`,
  ].join('\n')
}
