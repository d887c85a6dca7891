import { UsageError } from '../errors.ts'
import type { Counts, Usage } from '../types.ts'
import { openAiFields, unreadIn } from './known-fields.ts'
import { mediaCounts } from './media.ts'
import { isPerplexity, perplexityCounts, perplexityReports } from './perplexity.ts'
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
 * What OpenAI answers: chat completions, responses, embeddings, images, transcriptions, and `response.done` of the realtime
 * API; the whole answer or its usage alone. The platform is yours to name: Azure answers the same.
 */
export function readOpenAI(answer: unknown): Usage {
  const whole = isObject(answer) && isObject(answer['response']) ? answer['response'] : answer
  const { outer, usage } = usageIn(whole)
  if (
    has(
      usage,
      'prompt_cache_hit_tokens',
      'cost_in_usd_ticks',
      'cost_details',
      'cache_read_input_tokens',
      'cache_creation',
    ) ||
    (has(usage, 'cost') && !isObject(usage['cost']))
  )
    refuse(answer, 'openai')
  const media = has(outer, 'usage') ? null : mediaCounts(outer)
  const counts = media ?? countsIn(usage, outer)
  if (counts === null) refuse(answer, 'openai')
  if (media !== null)
    return said({ counts: media, model: text(outer, 'model'), at: time(outer, 'created', 'created_at') })
  return said({
    counts: { ...counts, ...toolsIn(outer), ...unreadIn(usage, openAiFields) },
    model: text(outer, 'model'),
    platform: isPerplexity(usage) ? 'perplexity' : undefined,
    tier: text(outer, 'service_tier'),
    at: time(outer, 'created', 'created_at'),
    reported: perplexityReports(usage),
  })
}

/** The same form, of a platform that answers in it. */
function of(platform: string): (answer: unknown) => Usage {
  return (answer) => ({ ...readOpenAI(answer), platform })
}

/** What Azure answers with OpenAI's models. */
export const readAzure = /* @__PURE__ */ of('azure')
/** What Groq answers. */
export const readGroq = /* @__PURE__ */ of('groq')
/** What Perplexity answers, with the fees of its searches. */
export const readPerplexity = /* @__PURE__ */ of('perplexity')
/** What Together AI answers. */
export const readTogether = /* @__PURE__ */ of('together')

function countsIn(usage: Fields, { object }: Fields): Counts | null {
  if (has(usage, 'prompt_tokens')) return chatCounts(usage)
  // Embeddings and reranking of Voyage and Jina have nothing but what went in.
  if (object === 'list' && has(usage, 'total_tokens') && !has(usage, 'input_tokens'))
    return keepUsed({ input_tokens: count(usage, 'total_tokens') })
  if (usage['type'] === 'duration') return keepUsed({ input_audio_seconds: count(usage, 'seconds') })
  if (has(usage, 'input_token_details', 'output_token_details')) return spokenCounts(usage)
  if (!has(usage, 'input_tokens') || !has(usage, 'total_tokens', 'input_tokens_details')) return null
  const details = inside(usage, 'input_tokens_details')
  return has(details, 'image_tokens', 'text_tokens') ? imageCounts(usage) : responseCounts(usage)
}

/** Chat completions and embeddings. Reasoning, audio and predictions are parts of the completion. */
export function chatCounts(usage: Fields): Counts {
  const [prompt, completion] = [count(usage, 'prompt_tokens'), count(usage, 'completion_tokens')]
  checkTotal(usage, 'total_tokens', prompt + completion)
  const input = inside(usage, 'prompt_tokens_details')
  const output = inside(usage, 'completion_tokens_details')
  // Moonshot and Together write it beside the details.
  const cached = Math.max(count(input, 'cached_tokens'), count(usage, 'cached_tokens'))
  const written = count(input, 'cache_write_tokens')
  const [heard, seen] = [count(input, 'audio_tokens'), count(input, 'video_tokens')]
  checkCachedKind(cached, heard + seen)
  const [reasoning, spoken] = [count(output, 'reasoning_tokens'), count(output, 'audio_tokens')]
  const drawn = count(output, 'image_tokens')
  return keepUsed({
    input_tokens: without(prompt, 'prompt_tokens', cached, written, heard, seen),
    cached_input_tokens: cached,
    cache_write_tokens: written,
    input_audio_tokens: heard,
    input_video_tokens: seen,
    output_tokens: without(completion, 'completion_tokens', reasoning, spoken, drawn),
    reasoning_tokens: reasoning,
    output_audio_tokens: spoken,
    output_image_tokens: drawn,
    ...perplexityCounts(usage, reasoning),
  })
}

/** Audio from a cache costs something else than text from it. */
function checkCachedKind(cached: number, other: number): void {
  if (cached > 0 && other > 0)
    throw new UsageError(
      'The answer does not say how much of the audio was read from the cache. Write the counts by hand.',
    )
}

function responseCounts(usage: Fields): Counts {
  const [input, output] = [count(usage, 'input_tokens'), count(usage, 'output_tokens')]
  checkTotal(usage, 'total_tokens', input + output)
  const details = inside(usage, 'input_tokens_details')
  const [cached, written] = [count(details, 'cached_tokens'), count(details, 'cache_write_tokens')]
  const reasoning = count(inside(usage, 'output_tokens_details'), 'reasoning_tokens')
  return keepUsed({
    input_tokens: without(input, 'input_tokens', cached, written),
    cached_input_tokens: cached,
    cache_write_tokens: written,
    output_tokens: without(output, 'output_tokens', reasoning),
    reasoning_tokens: reasoning,
  })
}

/** The images API: what goes in is text and images, what comes out are images, and text where it says so. */
function imageCounts(usage: Fields): Counts {
  const [input, output] = [count(usage, 'input_tokens'), count(usage, 'output_tokens')]
  checkTotal(usage, 'total_tokens', input + output)
  const details = inside(usage, 'input_tokens_details')
  const out = inside(usage, 'output_tokens_details')
  const written = count(out, 'text_tokens')
  const images = count(details, 'image_tokens')
  const cached = inside(details, 'cached_tokens_details')
  const [cachedText, cachedImages] = [count(cached, 'text_tokens'), count(cached, 'image_tokens')]
  if (count(details, 'cached_tokens') !== cachedText + cachedImages)
    throw new UsageError('The answer does not say whether text or images were read from the cache.')
  return keepUsed({
    input_tokens: without(input, 'input_tokens', images, cachedText),
    cached_input_tokens: cachedText,
    input_image_tokens: without(images, 'image_tokens', cachedImages),
    cached_input_image_tokens: cachedImages,
    output_tokens: written,
    output_image_tokens: without(output, 'output_tokens', written),
  })
}

/** The realtime API and transcriptions: each kind by itself, and of what was cached too. */
function spokenCounts(usage: Fields): Counts {
  const [input, output] = [count(usage, 'input_tokens'), count(usage, 'output_tokens')]
  checkTotal(usage, 'total_tokens', input + output)
  const details = inside(usage, 'input_token_details')
  const out = inside(usage, 'output_token_details')
  const cached = inside(details, 'cached_tokens_details')
  const [heard, seen] = [count(details, 'audio_tokens'), count(details, 'image_tokens')]
  const [cachedAudio, cachedImages] = [count(cached, 'audio_tokens'), count(cached, 'image_tokens')]
  const all = count(details, 'cached_tokens')
  if (!has(details, 'cached_tokens_details')) checkCachedKind(all, heard + seen)
  const cachedText = without(all, 'cached_tokens', cachedAudio, cachedImages)
  const spoken = count(out, 'audio_tokens')
  return keepUsed({
    input_tokens: without(input, 'input_tokens', heard, seen, cachedText),
    cached_input_tokens: cachedText,
    input_audio_tokens: without(heard, 'audio_tokens', cachedAudio),
    cached_input_audio_tokens: cachedAudio,
    input_image_tokens: without(seen, 'image_tokens', cachedImages),
    cached_input_image_tokens: cachedImages,
    output_tokens: without(output, 'output_tokens', spoken),
    output_audio_tokens: spoken,
  })
}

/**
 * Calls of tools that OpenAI runs and bills by the piece; opening a page that was found costs nothing. The answer repeats
 * the tools that were asked for: a search by the preview's tool has a price of its own.
 */
function toolsIn({ output, tools }: Fields): Counts {
  const list = (given: unknown) => (Array.isArray(given) ? given.filter(isObject) : [])
  const items = list(output)
  const isPreview = list(tools).some((tool) => text(tool, 'type')?.startsWith('web_search_preview'))
  const of = (type: string) => items.filter((item) => item['type'] === type)
  const searches = of('web_search_call').filter((item) => {
    const action = text(inside(item, 'action'), 'type')
    return item['status'] !== 'failed' && (action === undefined || action === 'search')
  })
  const files = of('file_search_call').length
  const containers = new Set([
    ...of('code_interpreter_call').map((item) => item['container_id']),
    ...of('shell_call').flatMap((item) => inside(item, 'environment')['container_id'] ?? []),
  ])
  // A container without a size has 1 GB.
  const size = list(tools)
    .map((tool) => text(inside(tool, 'container'), 'memory_limit'))
    .find((limit) => limit !== undefined && limit !== '1g')
  return keepUsed({
    code_interpreter_sessions: countKinds({ [size ?? '']: containers.size }),
    image_generations: of('image_generation_call').length,
    searches: countKinds({ [isPreview ? 'preview' : '']: searches.length, file: files }),
  })
}
