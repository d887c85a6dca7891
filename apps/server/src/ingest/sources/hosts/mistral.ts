import { z } from 'zod'
import { perThousandToPerOne } from '../../../catalog/decimal.ts'
import { UserError } from '../../../platform/user-error.ts'
import { lookUp } from '../../match/identify.ts'
import type { SourceReading } from '../../source-record.ts'
import { parseEnglishDay } from '../pages/page.ts'
import { readTar } from '../reading/tar.ts'
import {
  pieces,
  readHostList,
  Stated,
  tokens,
  toRetirement,
  type HostList,
  type HostRow,
  type Meter,
} from './host-list.ts'
import { readDefaultExport } from './typescript-data.ts'

const modelFile = /(?:^|\/)src\/schema\/models\/models\/([\w.-]+)\.ts$/

/**
 * The data behind Mistral's pages of models and prices: one TypeScript file for each model, in the repository of its
 * documentation, which is read and not run. (Apache-2.0)
 * https://github.com/mistralai/platform-docs-public
 * @param archive the repository, or its folder `src/schema/models`, as a tar file
 */
export function readMistralDocs(archive: Uint8Array, now: Date): SourceReading {
  const files = readTar(archive).filter(({ path }) => modelFile.test(path) && !path.endsWith('/index.ts'))
  const models = files.map(({ path, text }) => {
    const value = readDefaultExport(text)
    return { id: modelFile.exec(path)![1]!, status: '', ...(typeof value === 'object' && value) }
  })
  if (models.length === 0)
    throw new UserError(
      "This is not Mistral's documentation: it has no src/schema/models/models/*.ts. Take the repository mistralai/platform-docs-public.",
    )
  // Of two models with one id the active one counts, in whatever order they are archived.
  const toPlace = ({ id, status }: { id: string; status: string }) => `${status === 'Active' ? 0 : 1}${id}`
  const inOrder = models.toSorted((a, b) => (toPlace(a) < toPlace(b) ? -1 : 1))
  return readHostList(buildHostList(models), inOrder, now)
}

const Ids = z.looseObject({ apiNames: z.array(z.string().min(1)) })
const Named = z.looseObject({ name: z.string(), identifiers: Ids })

const Price = z.looseObject({ price: Stated, denominator: z.string(), label: z.string().nullish() })
const Side = z.array(Price).nullish()
const Model = z.looseObject({
  status: z.string(),
  identifiers: Ids,
  pricing: z
    .looseObject({
      free: z.boolean(),
      input: Side,
      output: Side,
      price: Stated,
      denominator: z.string().nullish(),
    })
    .nullish(),
  capabilities: z.looseObject({ output: z.array(z.string()).nullish() }).nullish(),
  metadata: z
    .looseObject({ retirementDate: z.string().nullish(), replacement: z.string().nullish() })
    .nullish(),
})

function buildHostList(models: readonly unknown[]): HostList {
  // A model is replaced by the name of another, of which a request names the first id.
  const idsByName = new Map(
    models.flatMap((model) => {
      const { data } = Named.safeParse(model)
      const id = data?.identifiers.apiNames[0]
      return id === undefined ? [] : [[data!.name, id] as const]
    }),
  )
  return {
    platform: 'mistral',
    title: "Mistral's documentation",
    link: 'https://docs.mistral.ai/models',
    Row: Model.transform((model, context): HostRow[] => {
      const { pricing, status, metadata } = model
      const input = [...(pricing?.input ?? []), ...listFlat(pricing)]
      const stated = [
        ...input.map((price) => ({ ...price, side: 'input' })),
        ...(pricing?.output ?? []).map((price) => ({ ...price, side: 'output' })),
      ]
      const entries = stated.flatMap(({ side, price, denominator, label }) => {
        const field = `${side} ${denominator}${/^cached/i.test(label ?? '') ? ' cached' : ''}`
        const meter = lookUp(meters, field)
        if (meter === undefined || !isKnownLabel(label))
          context.addIssue(`the price "${label ?? field}" is of no kind that is known`)
        return meter === undefined ? [] : [{ field, stated: price, ...meter }]
      })
      if (new Set(entries.map(({ field }) => field)).size < entries.length)
        context.addIssue('two prices are of one kind')
      const isSold = status !== 'Retired' && entries.length > 0
      const end = metadata?.retirementDate ?? ''
      const next = metadata?.replacement
      return model.identifiers.apiNames.map((id) => ({
        ...{ id, entries, zero: pricing?.free === true ? 'price' : 'unknown' },
        // Vectors and scores show in the names of their models.
        outputs:
          model.capabilities?.output?.filter((output) => ['text', 'image', 'audio'].includes(output)) ?? [],
        retires_on: toRetirement(end) ?? parseEnglishDay(end),
        ...(next != null && { replaced_by: idsByName.get(next) ?? null }),
        ...(!isSold && { is_witness: true }),
      }))
    }),
    fields: {
      reads: (path) => /^pricing\.(?:(?:in|out)put\[\]\.)?price$/.test(path),
      ignored: [
        {
          path: /\.priceEur$/,
          reason: 'the price list in euros, which is another one: nothing is converted',
        },
        { path: /\.originalPrice$/, reason: 'before the discount' },
      ],
    },
  }
}

/** One price of all, where there is but one. */
function listFlat(pricing: z.infer<typeof Model>['pricing']): z.infer<typeof Price>[] {
  if (pricing == null || pricing.denominator == null) return []
  return [{ price: pricing.price, denominator: pricing.denominator }]
}

function isKnownLabel(label: string | null | undefined): boolean {
  return label == null || /^(?:input|output|cached input)$/i.test(label)
}

/** The repository states no batch price: its pages halve these in code. */
const meters: Readonly<Record<string, Meter>> = {
  'input /M Tokens': tokens('input_tokens'),
  'input /M Tokens cached': tokens('cached_input_tokens'),
  'output /M Tokens': tokens('output_tokens'),
  'input /Min': pieces('input_audio_minutes', 'minute'),
  'input /M Chars': pieces('input_characters', '1m_characters'),
  'output /M Chars': pieces('output_characters', '1m_characters'),
  'input /1000 Pages': pieces('input_document_pages', 'page', null, perThousandToPerOne),
  'input /1000 Annotated Pages': pieces('input_annotated_document_pages', 'page', null, perThousandToPerOne),
}
