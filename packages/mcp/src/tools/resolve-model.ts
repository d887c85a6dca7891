import { z } from 'zod'
import { plain, stampSchema, stampText, words } from '../answer.ts'
import { buildStamp, type PriceSource } from '../prices.ts'
import { toSummary, summarySchema, summaryText } from '../record.ts'
import { resolveName } from '../resolve-name.ts'

const input = z.strictObject({
  name: words(512).describe('a model as anything spells it: an id, a path, an ARN, "Claude Sonnet 4.5"'),
  platform: words(100).optional().describe('who is paid: openai, bedrock, vertex_ai, azure, openrouter, …'),
  region: words(100).optional().describe('the region that is billed'),
})

const output = z.object({
  is_resolved: z.boolean(),
  record: summarySchema.nullable(),
  rule: z.string().nullable().describe('by which rule the name led to the record'),
  steps: z.array(z.string()),
  reason: z.enum(['unknown', 'ambiguous']).nullable(),
  message: z.string().nullable().describe('what to do'),
  candidates: z.array(z.string()).describe('ids of records that may be meant; nobody has chosen among them'),
  catalog: stampSchema,
})

export const resolveModel = {
  name: 'resolve_model',
  title: 'What a model name means',
  description:
    'The price record that a model name means: exactly, by an alias or a documented spelling, never by what is merely near. An ambiguous or unknown name comes back with candidates: ask the user, or name the platform.',
  input,
  output,
  run:
    (source: PriceSource) =>
    async ({ name, platform, region }: z.output<typeof input>) => {
      const prices = await source.get()
      const found = resolveName(name, { catalog: prices.catalog, platform, region })
      const catalog = buildStamp(prices)
      const nothing = {
        record: null,
        rule: null,
        steps: [],
        reason: null,
        message: null,
        candidates: [],
        catalog,
      }
      if (found.isResolved) {
        const { rule, steps, region: stated, isPlatformAssumed } = found
        const record = toSummary(found.record)
        const hints = [
          ...(isPlatformAssumed
            ? ["Others sell it too: this is the maker's own price. Name the platform that is paid."]
            : []),
          ...(stated === null
            ? []
            : [`The name states the region ${stated}, which may cost more: ask cost_of.`]),
        ]
        const message = hints.length === 0 ? null : hints.join(' ')
        return {
          structured: { ...nothing, is_resolved: true, record, rule, steps: [...steps], message },
          text: `${summaryText(record)}\nFound by ${rule.replaceAll('_', ' ')}: ${plain(steps.join(' > '))}\n${message === null ? '' : `${plain(message)}\n`}${stampText(catalog)}`,
        }
      }
      const { reason, message, candidates } = found
      const list = candidates.length === 0 ? '' : `\nCandidates: ${plain(candidates.join(', '))}`
      return {
        structured: { ...nothing, is_resolved: false, reason, message, candidates: [...candidates] },
        text: `${plain(message)}${list}\n${stampText(catalog)}`,
      }
    },
}
