// How names of models are written around what a platform calls them. Each rule is documented by the one who writes so;
// nothing here compares letters loosely.

/** A name read in one way: what the platform would be, and its id of the model. */
export interface Reading {
  /** Null: the name does not say. */
  readonly platform: string | null
  readonly id: string
  /** Null: the name does not say. */
  readonly region: string | null
}

/** Names of platforms elsewhere: LiteLLM's providers, `gen_ai.provider.name` of OpenTelemetry, providers of the AI SDK. */
const platforms: readonly [platform: string, names: RegExp][] = [
  ['bedrock', /^(?:amazon-|aws\.)?bedrock(?:_converse|_mantle)?$/],
  ['azure', /^(?:azure[_-](?:ai|openai)|az(?:ure)?\.ai\.(?:openai|inference))$/],
  ['vertex_ai', /^(?:google[.-]|gcp\.)?vertex(?:[_-]ai(?:_beta)?)?$/],
  ['google', /^(?:gcp\.)?gemini$|^google\.generative-ai$/],
  ['xai', /^x[_-]ai$/],
  ['mistral', /^mistral[_-]?ai$/],
  ['together', /^together[_-]?ai$/],
  ['fireworks', /^fireworks[_-]ai$/],
  ['moonshot', /^moonshotai$/],
  ['cohere', /^cohere_chat$/],
]

/** The platform as the catalog calls it. */
export function platformOf(name: string): string {
  const lower = name.toLowerCase()
  return platforms.find(([, names]) => names.test(lower))?.[0] ?? lower
}

interface Ornament {
  readonly pattern: RegExp
  readonly read: (found: RegExpExecArray) => { platform?: string; id: string; region?: string | null }
}

const ornaments: readonly Ornament[] = [
  // Claude Code marks the long context so; it is no part of the name.
  { pattern: /^(.+)\[1m\]$/i, read: ([, id = '']) => ({ id }) },
  // Gemini's API.
  { pattern: /^models\/([^/]+)$/, read: ([, id = '']) => ({ id }) },
  // Vertex AI's resource names.
  {
    pattern: /^(?:projects\/[^/]+\/locations\/[^/]+\/)?publishers\/[^/]+\/models\/([^/:]+)(?::\w+)?$/,
    read: ([, id = '']) => ({ platform: 'vertex_ai', id }),
  },
  // Amazon's resource names: models and the profiles that AWS makes. A profile of one's own hides what is behind it.
  {
    pattern: /^arn:aws[\w-]*:bedrock:[\w-]*:\d*:(?:foundation-model|inference-profile)\/(.+)$/,
    read: ([, id = '']) => ({ platform: 'bedrock', id }),
  },
  // LiteLLM's routes of Bedrock, and its regions.
  {
    pattern: /^bedrock\/(?:(?:converse|invoke)\/)?(?:([a-z]{2}(?:-gov)?-[a-z]+-\d)\/)?(.+)$/,
    read: ([, region, id = '']) => ({ platform: 'bedrock', id, region: region ?? null }),
  },
  {
    pattern: /^accounts\/fireworks\/(?:models|routers)\/(.+)$/,
    read: ([, id = '']) => ({ platform: 'fireworks', id }),
  },
  // Vertex AI's name of the version that it serves.
  { pattern: /^(.+)@default$/, read: ([, id = '']) => ({ id }) },
]

/** The name as it is, and each documented way to read it, the plainest first. Ornaments may stand around each other. */
export function readingsOf(name: string, isPlatform: (name: string) => boolean): Reading[] {
  const readings: Reading[] = [{ platform: null, id: name, region: null }]
  const seen = new Set<string>([`|${name}`])
  for (let at = 0; at < readings.length && readings.length < readingsMax; at += 1) {
    for (const next of withoutOne(readings[at]!, isPlatform)) {
      const mark = `${next.platform ?? ''}|${next.id}`
      if (next.id === '' || seen.has(mark)) continue
      seen.add(mark)
      readings.push(next)
    }
  }
  return readings
}

const readingsMax = 12

function withoutOne(reading: Reading, isPlatform: (name: string) => boolean): Reading[] {
  const found: Reading[] = []
  for (const { pattern, read } of ornaments) {
    const match = pattern.exec(reading.id)
    if (match) found.push({ ...reading, ...read(match) })
  }
  // LiteLLM and the AI SDK's registry: the platform, then its own id. Some write it twice.
  const [, prefix = '', rest = ''] = /^([^/]+)\/(.+)$/s.exec(reading.id) ?? []
  const platform = platformOf(prefix)
  const fits = reading.platform === null || reading.platform === platform
  if (rest !== '' && fits && isPlatform(platform)) found.push({ ...reading, platform, id: rest })
  return found
}

const dates = [
  /-20\d{2}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/,
  /[-@]20\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])$/,
]

/** The name without the day of its snapshot; null: it has none. */
export function withoutDate(id: string): string | null {
  for (const pattern of dates) if (pattern.test(id)) return id.replace(pattern, '') || null
  return null
}
