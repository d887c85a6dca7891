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
const platforms: readonly [names: RegExp, platform: string][] = [
  [/^(?:amazon-|aws\.)?bedrock(?:_converse|_mantle)?$/, 'bedrock'],
  [/^(?:azure[_-](?:ai|openai)|az(?:ure)?\.ai\.(?:openai|inference))$/, 'azure'],
  [/^(?:google[.-]|gcp\.)?vertex(?:[_-]ai(?:_beta)?)?$/, 'vertex_ai'],
  [/^(?:gcp\.)?gemini$|^google\.generative-ai$/, 'google'],
  [/^x[_-]ai$/, 'xai'],
  [/^(mistral|together|fireworks|moonshot)[_-]?ai$/, '$1'],
  [/^cohere_chat$/, 'cohere'],
]

/** The platform as the catalog calls it. */
export function findPlatform(name: string): string {
  const lower = name.toLowerCase()
  const found = platforms.find(([names]) => names.test(lower))
  return found ? lower.replace(...found) : lower
}

/** What stands around an id, and the platform whose spelling it is. A region, cloud or profile in it is what is billed. */
const ornaments: readonly [around: RegExp, platform?: string][] = [
  // Claude Code marks the long context so, and Vertex AI the version that it serves; neither is part of the name.
  [/^(?<id>.+)(?:\[1m\]|@default)$/i],
  // Gemini's API.
  [/^models\/(?<id>[^/]+)$/],
  // Vertex AI's resource names.
  [
    /^(?:projects\/[^/]+\/locations\/(?<region>[^/]+)\/)?publishers\/[^/]+\/models\/(?<id>[^/:]+)(?::\w+)?$/,
    'vertex_ai',
  ],
  // Amazon's resource names: models and the profiles that AWS makes. A profile of one's own hides what is behind it. A model
  // is billed in its region, in the governments' and the Chinese cloud as well; a profile by where it may lead.
  [/^arn:aws:bedrock:[\w-]*:\d*:inference-profile\/(?<id>.+)$/, 'bedrock'],
  [
    /^arn:aws(?!:.*:inference-profile)(?:-(?<cloud>[\w-]+))?:bedrock:(?<region>[\w-]*):\d*:(?:foundation-model|inference-profile)\/(?<id>.+)$/,
    'bedrock',
  ],
  // Profiles of a geography: `eu.amazon.nova-lite-v1:0`. The government's is another cloud.
  [/^(?<profile>us|eu|apac|au|jp|ca|in|global)\.(?<id>[a-z]\w*\.\S+)$/, 'bedrock'],
  // LiteLLM's routes of Bedrock, and its regions.
  [/^bedrock\/(?:(?:converse|invoke)\/)?(?:(?<region>[a-z]{2}(?:-gov)?-[a-z]+-\d)\/)?(?<id>.+)$/, 'bedrock'],
  // LiteLLM's deployments of Azure: a data zone, or the whole world.
  [/^azure\/(?:(?<region>us|eu)|global(?:-standard)?)\/(?<id>.+)$/, 'azure'],
  // OpenAI's fine-tuned models: the model, then the owner's own names. They cost other than the model.
  [/^(?<id>ft:[^:]+):.*$/],
  [/^accounts\/fireworks\/(?:models|routers)\/(?<id>.+)$/, 'fireworks'],
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
  for (const [around, platform = reading.platform] of ornaments) {
    const { id, region, cloud, profile } = around.exec(reading.id)?.groups ?? {}
    if (id === undefined) continue
    const stated = region || cloud || profile || reading.region
    found.push({
      ...reading,
      platform,
      id,
      region: stated,
      isProfile: reading.isProfile || profile !== undefined,
    })
  }
  // LiteLLM and the AI SDK's registry: the platform, then its own id. Some write it twice.
  const [, prefix = '', rest = ''] = /^([^/]+)\/(.+)$/s.exec(reading.id) ?? []
  const platform = findPlatform(prefix)
  const fits = reading.platform === null || reading.platform === platform
  if (rest !== '' && fits && isPlatform(platform))
    found.push({ ...reading, platform, id: rest, service: findService(prefix) ?? reading.service })
  return found
}

const date = /[-@]20\d{2}(-?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])$/

/** The name without the day of its snapshot; null: it has none. */
export function withoutDate(id: string): string | null {
  return (date.test(id) && id.replace(date, '')) || null
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
