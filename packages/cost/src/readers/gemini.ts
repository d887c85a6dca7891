import { UsageError } from '../errors.ts'
import type { Usage } from '../types.ts'
import { geminiFields, unreadIn } from './known-fields.ts'
import {
  checkTotal,
  count,
  keepUsed,
  has,
  inside,
  isObject,
  countKinds,
  refuse,
  said,
  text,
  time,
  usageIn,
  without,
  type Fields,
} from './shape.ts'

/**
 * What Gemini answers, by Google's own API, by Vertex AI, and live: the whole answer or its `usageMetadata`. What was read
 * from a cache is part of the prompt; thoughts are no part of the candidates. The platform is yours to name.
 */
export function readGemini(answer: unknown): Usage {
  const { outer, usage } = usageIn(answer, 'usageMetadata')
  if (!has(usage, 'promptTokenCount', 'totalTokenCount')) refuse(answer, 'gemini')
  const written = has(usage, 'responseTokenCount') ? 'response' : 'candidates'
  const prompt = count(usage, 'promptTokenCount')
  const output = count(usage, `${written}TokenCount`)
  const thoughts = count(usage, 'thoughtsTokenCount')
  const tools = count(usage, 'toolUsePromptTokenCount')
  checkTotal(usage, 'totalTokenCount', prompt + output + thoughts + tools)

  const asked = listKinds(usage, 'promptTokensDetails', prompt)
  const cached = listKinds(usage, 'cacheTokensDetails', count(usage, 'cachedContentTokenCount'), asked)
  const byTool = listKinds(usage, 'toolUsePromptTokensDetails', tools)
  const answered = listKinds(usage, `${written}TokensDetails`, output)
  const counts: Record<string, number> = { reasoning_tokens: thoughts, ...unreadIn(usage, geminiFields) }
  for (const kind of kinds) {
    const name = kind === 'TEXT' ? '' : `${kind.toLowerCase()}_`
    const from = cached[kind] ?? 0
    counts[`input_${name}tokens`] = without(asked[kind] ?? 0, 'promptTokenCount', from) + (byTool[kind] ?? 0)
    counts[`cached_input_${name}tokens`] = from
    counts[`output_${name}tokens`] = answered[kind] ?? 0
  }
  const model = text(outer, 'modelVersion')
  return said({
    counts: keepUsed({ ...counts, searches: searchesIn(outer, model) }),
    model,
    tier: toTier(text(usage, 'trafficType')),
    at: time(outer, 'createTime'),
  })
}

const kinds = ['TEXT', 'IMAGE', 'VIDEO', 'AUDIO', 'DOCUMENT'] as const

/** Tokens by kind. What the details leave open is text where they name no other kind. */
function listKinds(
  usage: Fields,
  name: string,
  all: number,
  of?: Readonly<Record<string, number>>,
): Record<string, number> {
  const details = usage[name]
  if (!Array.isArray(details) || details.length === 0) return { [onlyKind(of, all)]: all }
  const found: Record<string, number> = {}
  for (const detail of details.filter(isObject)) {
    const kind = text(detail, 'modality') ?? ''
    if (!(kinds as readonly string[]).includes(kind))
      throw new UsageError(`"${name}" has tokens of a kind that is not known: update @ratecard/cost.`)
    found[kind] = (found[kind] ?? 0) + count(detail, 'tokenCount')
  }
  const rest = without(all, name, ...Object.values(found))
  return rest === 0 ? found : { ...found, TEXT: (found['TEXT'] ?? 0) + rest }
}

/** Of a prompt of one kind that kind was cached; of several nobody knows. */
function onlyKind(of: Readonly<Record<string, number>> | undefined, all: number): string {
  const used = Object.entries(of ?? {}).filter(([, tokens]) => tokens > 0)
  if (all > 0 && used.length > 1)
    throw new UsageError(
      'The answer does not say which kind of tokens was read from the cache ("cacheTokensDetails").',
    )
  return used[0]?.[0] ?? 'TEXT'
}

/** Gemini 3 and later bill each query of a search; before, a prompt with any is billed once, and one with maps too. */
function searchesIn(outer: Fields, model: string | undefined) {
  const { candidates } = outer
  const grounding = (Array.isArray(candidates) ? candidates.filter(isObject) : []).map((candidate) =>
    inside(candidate, 'groundingMetadata'),
  )
  const all = (name: string) =>
    grounding.flatMap(({ [name]: list }) => (Array.isArray(list) ? (list as unknown[]) : []))
  const queries = all('webSearchQueries').filter((query) => query !== '').length
  const maps = Math.min(
    1,
    all('groundingChunks').filter((chunk) => has(Object(chunk) as Fields, 'maps')).length,
  )
  const generation = Number(/gemini-(\d+)/.exec(model ?? '')?.[1] ?? 3)
  return countKinds({ '': generation >= 3 ? queries : Math.min(1, queries), maps })
}

/** Vertex AI's kinds of traffic. Provisioned throughput is paid by the month: as a tier it has no price. */
function toTier(traffic: string | undefined): string | undefined {
  return traffic?.replace(/^ON_DEMAND_?/, '').toLowerCase() || undefined
}
