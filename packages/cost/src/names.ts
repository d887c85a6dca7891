// How names of models are written around what a platform calls them. Each rule is documented by the one who writes so;
// nothing here compares letters loosely.

/** A name read in one way: what the platform would be, and its id of the model. */
export interface Reading {
  /** Null: the name does not say. */
  readonly platform: string | null
  readonly id: string
  /** Null: the name does not say. */
  readonly region: string | null
  /** Which of the platform's services the name states, as LiteLLM calls it; undefined: none. */
  readonly service?: string | undefined
  /** A profile of a geography is read as its model: where the profile has no record of its own. */
  readonly isProfile?: boolean
}

/**
 * Azure sells models by two services, OpenAI's by one and all others by the other, and Amazon by two endpoints. Catalogs call
 * both alike, and one id may be there twice, with two prices.
 */
const services: readonly [service: string, names: RegExp][] = [
  ['azure', /^(?:azure[_-]openai|az(?:ure)?\.ai\.openai)$/],
  ['azure_ai', /^(?:azure[_-]ai|az(?:ure)?\.ai\.inference)$/],
  // Amazon's newer endpoint. Lists write ids of the older one without a prefix, so only what they write with it is its own.
  ['bedrock_mantle', /^bedrock_mantle$/],
]

/** The service that the name of a platform states; undefined: none. */
export function findService(name: string): string | undefined {
  const lower = name.toLowerCase()
  return services.find(([, names]) => names.test(lower))?.[0]
}

/** The services of a platform that has several. */
export const serviceNames: ReadonlySet<string> = new Set(services.map(([service]) => service))

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
export function findPlatform(name: string): string {
  const lower = name.toLowerCase()
  return platforms.find(([, names]) => names.test(lower))?.[0] ?? lower
}

interface Ornament {
  readonly pattern: RegExp
  readonly read: (found: RegExpExecArray) => Partial<Reading> & { id: string }
}

const ornaments: readonly Ornament[] = [
  // Claude Code marks the long context so; it is no part of the name.
  { pattern: /^(.+)\[1m\]$/i, read: ([, id = '']) => ({ id }) },
  // Gemini's API.
  { pattern: /^models\/([^/]+)$/, read: ([, id = '']) => ({ id }) },
  // Vertex AI's resource names. The location is what is billed.
  {
    pattern: /^(?:projects\/[^/]+\/locations\/([^/]+)\/)?publishers\/[^/]+\/models\/([^/:]+)(?::\w+)?$/,
    read: ([, region, id = '']) => ({ platform: 'vertex_ai', id, region: region ?? null }),
  },
  // Amazon's resource names: models and the profiles that AWS makes. A profile of one's own hides what is behind it. A model
  // is billed in its region, in the governments' and the Chinese cloud as well; a profile by where it may lead.
  {
    pattern: /^arn:aws(-[\w-]+)?:bedrock:([\w-]*):\d*:(?:foundation-model|(inference-profile))\/(.+)$/,
    read: ([, cloud, region, profile, id = '']) => ({
      platform: 'bedrock',
      id,
      region: profile !== undefined && cloud === undefined ? null : region || (cloud?.slice(1) ?? null),
    }),
  },
  // Profiles of a geography: `eu.amazon.nova-lite-v1:0`. The government's is another cloud.
  {
    pattern: /^(us|eu|apac|au|jp|ca|in|global)\.([a-z]\w*\.\S+)$/,
    read: ([, region = null, id = '']) => ({ platform: 'bedrock', id, region, isProfile: true }),
  },
  // LiteLLM's routes of Bedrock, and its regions.
  {
    pattern: /^bedrock\/(?:(?:converse|invoke)\/)?(?:([a-z]{2}(?:-gov)?-[a-z]+-\d)\/)?(.+)$/,
    read: ([, region, id = '']) => ({ platform: 'bedrock', id, region: region ?? null }),
  },
  // LiteLLM's deployments of Azure: a data zone, or the whole world.
  {
    pattern: /^azure\/(?:(us|eu)|global(?:-standard)?)\/(.+)$/,
    read: ([, region, id = '']) => ({ platform: 'azure', id, region: region ?? null }),
  },
  // OpenAI's fine-tuned models: the model, then the owner's own names. They cost other than the model.
  { pattern: /^(ft:[^:]+):.*$/, read: ([, id = '']) => ({ id }) },
  {
    pattern: /^accounts\/fireworks\/(?:models|routers)\/(.+)$/,
    read: ([, id = '']) => ({ platform: 'fireworks', id }),
  },
  // Vertex AI's name of the version that it serves.
  { pattern: /^(.+)@default$/, read: ([, id = '']) => ({ id }) },
]

/** The name as it is, and each documented way to read it, the plainest first. Ornaments may stand around each other. */
export function listReadings(name: string, isPlatform: (name: string) => boolean): Reading[] {
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
  const platform = findPlatform(prefix)
  const fits = reading.platform === null || reading.platform === platform
  if (rest !== '' && fits && isPlatform(platform))
    found.push({ ...reading, platform, id: rest, service: findService(prefix) ?? reading.service })
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

/** Sizes that a name states, in thousand millions of parameters: `20b` and `8x7b`. */
function sizesIn(name: string): string {
  return (name.toLowerCase().match(/(?<![a-z0-9.])\d+(?:\.\d+|x\d+)?b(?![a-z0-9])/g) ?? []).join()
}

/**
 * Whether a published alias cannot be right: it states another size than the record's id, or the separate cloud of the
 * American government, which has prices of its own, for a record that is not of it.
 */
export function isContradicted(alias: string, id: string, region: string | null): boolean {
  const [stated, own] = [sizesIn(alias), sizesIn(id)]
  const isGov = /(?:^|[:/])us-gov[.-]/.test(alias) && region?.startsWith('us-gov') !== true
  return isGov || (stated !== '' && own !== '' && stated !== own)
}

const state = /[-@](?:20)?(2\d)-?((?:0[1-9]|1[0-2])(?:-?(?:0[1-9]|[12]\d|3[01]))?)$/

export function withoutState(name: string): string {
  return name.replace(state, '')
}

/** The newest day or month in a name, as digits of `YYMMDD`; empty: it has none. */
export function findState(name: string): string {
  const [, year = '', rest = ''] = state.exec(name) ?? []
  return `${year}${rest.replace('-', '')}`
}
