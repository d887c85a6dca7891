import { z } from 'zod'
import type { SourceReading } from '../../source-record.ts'
import { readHostList, type Entry, type HostList } from './host-list.ts'
import { openrouterList, openrouterPricing } from './provider-form.ts'

const tiers = ['flex', 'priority', 'batch']

const Endpoint = z.looseObject({ tag: z.string(), pricing: openrouterPricing })
type Endpoint = z.infer<typeof Endpoint>

/**
 * What the hosts of a model charge at OpenRouter. Read are tiers alone (`openai/flex` beside `openai`), as rates of the
 * model. Which host a request is passed on to nobody can say beforehand, so that neither the cheapest nor the first is
 * the price of the model: that is in /api/v1/models. A row states the price of the host whose tiers it has, and bears
 * witness only: its tiers are heard where that is what the model costs. A tier that hosts state at two prices has none.
 */
const endpointList: HostList = {
  platform: 'openrouter',
  title: "an answer of OpenRouter's /api/v1/models/{author}/{slug}/endpoints",
  Row: z
    .looseObject({ id: z.string().min(1), endpoints: z.array(Endpoint) })
    .transform(({ id, endpoints }, context) => {
      const plain = new Set(endpoints.flatMap(({ tag }) => (findTier(tag) === null ? [tag] : [])))
      const tiered = endpoints.filter(({ tag }) => findTier(tag) !== null && plain.has(findHost(tag)))
      const hosts = new Set(tiered.map(({ tag }) => findHost(tag)))
      const entries = endpoints.filter(({ tag }) => hosts.has(findHost(tag))).flatMap(listTier)
      const kinds = Map.groupBy(entries, ({ field, threshold, service_tier }) =>
        [field, threshold, service_tier].join(),
      )
      for (const [, [first, ...others]] of kinds)
        if (others.some(({ stated }) => Number(stated) !== Number(first?.stated)))
          context.addIssue(`hosts differ in ${first?.field} of ${first?.service_tier ?? 'the standard tier'}`)
      return { id, entries, is_witness: true }
    }),
  fields: {
    reads: (path) => openrouterList.fields.reads(inModel(path)),
    ignored: openrouterList.fields.ignored.map(({ path, reason }) => ({
      ...{ path: new RegExp(path.source.replace('^', String.raw`^(?:endpoints\[\]\.)?`)), reason },
    })),
  },
}

const OneModel = z.looseObject({ data: z.looseObject({ endpoints: z.unknown() }) })

/**
 * One answer, or several in a list.
 * @throws UserError when it is none
 */
export function readOpenRouterEndpoints(json: unknown, now: Date): SourceReading {
  const answers = Array.isArray(json) ? (json as unknown[]) : [json]
  const models = answers.map((answer) => OneModel.safeParse(answer).data?.data ?? answer)
  return readHostList(
    endpointList,
    OneModel.safeParse(json).success || Array.isArray(json) ? models : json,
    now,
  )
}

function findTier(tag: string): string | null {
  return tiers.find((tier) => tag.endsWith(`/${tier}`)) ?? null
}

function findHost(tag: string): string {
  const tier = findTier(tag)
  return tier === null ? tag : tag.slice(0, -tier.length - 1)
}

/** What a tier costs, and of the standard tier what it is a tier of. */
function listTier({ tag, pricing }: Endpoint): Entry[] {
  const service_tier = findTier(tag)
  const isBase = ({ field, threshold }: Entry) => threshold == null && /^(?:prompt|completion)$/.test(field)
  return pricing
    .filter((entry) => service_tier !== null || isBase(entry))
    .map((entry) => ({ ...entry, service_tier }))
}

function inModel(path: string): string {
  return path.replace(/^endpoints\[\]\./, '')
}
