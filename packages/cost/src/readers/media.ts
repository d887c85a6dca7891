import { UsageError } from '../errors.ts'
import type { Counts, Usage } from '../types.ts'
import { unreadIn, cohereFields } from './known-fields.ts'
import {
  count,
  keepUsed,
  has,
  inside,
  isObject,
  countKinds,
  refuse,
  said,
  text,
  usageIn,
  type Fields,
} from './shape.ts'

// Answers that count something else than tokens, or nothing but what they hold.

/** What OpenAI's form answers without a usage: pictures, a transcription with its duration, a video. Null: it is none of them. */
export function mediaCounts(outer: Fields): Counts | null {
  const { data, predictions, generatedImages, object, duration } = outer
  // The API writes a video's seconds as text.
  if (object === 'video') return videoCounts(outer)
  if (typeof duration === 'number' && typeof outer['text'] === 'string')
    return keepUsed({ input_audio_seconds: count(outer, 'duration') })
  const pictures = [data, predictions, generatedImages].find(Array.isArray) as unknown[] | undefined
  const isPicture = (one: unknown) =>
    has(Object(one) as Fields, 'b64_json', 'url', 'bytesBase64Encoded', 'image')
  if (pictures === undefined || !pictures.every(isPicture) || pictures.length === 0) return null
  return keepUsed({ output_images: countKinds(byKind(outer, pictures.length)) })
}

/** By size and quality, where the answer says them. `standard` is the quality that has no name. */
function byKind(outer: Fields, pictures: number): Record<string, number> {
  const quality = text(outer, 'quality')
  const kind = [text(outer, 'size'), quality === 'standard' ? undefined : quality]
  return { [kind.filter((part) => part !== undefined).join('/')]: pictures }
}

function videoCounts(outer: Fields): Counts {
  const status = text(outer, 'status')
  if (status !== 'completed' && status !== 'failed')
    throw new UsageError('The video is not done: read the answer that says "completed".')
  const seconds = status === 'failed' ? 0 : Number(outer['seconds'])
  return keepUsed({
    output_video_seconds: countKinds({ [text(outer, 'size') ?? '']: count({ seconds }, 'seconds') }),
  })
}

/** What Cohere answers: chat, embeddings and reranking, of both versions of its API. It bills `billed_units`. */
export function readCohere(answer: unknown): Usage {
  const { outer, usage } = usageIn(answer)
  const stated = [usage, inside(outer, 'meta')]
    .map((one) => inside(one, 'billed_units'))
    .find((one) => isBilled(one))
  if (stated === undefined) refuse(answer, 'cohere')
  return said({
    counts: keepUsed({
      input_tokens: count(stated, 'input_tokens'),
      output_tokens: count(stated, 'output_tokens'),
      queries: count(stated, 'search_units'),
      input_images: count(stated, 'images'),
      ...unreadIn(stated, cohereFields),
    }),
    model: text(outer, 'model'),
    platform: 'cohere',
  })
}

function isBilled(units: Fields): boolean {
  return has(units, 'input_tokens', 'output_tokens', 'search_units', 'images', 'classifications')
}

/** What Deepgram answers of a recording: its seconds. Channels that are written down apart are billed each. */
export function readDeepgram(answer: unknown): Usage {
  const metadata = inside(isObject(answer) ? answer : {}, 'metadata')
  if (!has(metadata, 'duration')) refuse(answer, 'deepgram')
  const models = Object.values(inside(metadata, 'model_info')).filter(isObject)
  const channels = count(metadata, 'channels')
  if (channels > 1 || models.length > 1)
    throw new UsageError('The answer has several channels or models: write the seconds of each as counts.')
  return said({
    counts: keepUsed({ input_audio_seconds: count(metadata, 'duration') }),
    model: models.map((one) => text(one, 'arch')).find((arch) => arch !== undefined),
    platform: 'deepgram',
    at: text(metadata, 'created'),
  })
}
