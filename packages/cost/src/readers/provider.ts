import { findPlatform } from '../names.ts'

/** What the AI SDK puts behind a provider's name: the form of its API. */
const forms =
  /\.(?:chat|completions?|responses|messages|(?:text-?)?embeddings?|images?|speech|transcription|video|reranking)$/

/**
 * The platform that a framework means by the name of a provider: `openai.responses` of the AI SDK, `aws.bedrock` of
 * OpenTelemetry. A name that nobody knows stays as it is, and finds no price.
 */
export function toPlatform(provider: string): string {
  const name = provider.toLowerCase().replace(forms, '')
  // Claude on Vertex AI.
  return name === 'vertex.anthropic' ? 'vertex_ai' : findPlatform(name)
}

/** Vendors whose own counts of input have what was cached in them; who passes them on, passes that on. */
const cachedIn = ['openai', 'azure', 'google', 'xai', 'deepseek', 'mistral', 'groq']

/** Whether the input that a platform counts has what was cached in it; undefined: it depends on the model. */
export function countsCachedIn(platform: string | undefined): boolean | undefined {
  if (platform === undefined) return undefined
  return cachedIn.includes(platform) || (/^(?:anthropic|bedrock)$/.test(platform) ? false : undefined)
}
