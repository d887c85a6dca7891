import type { PriceRecord } from '../../../catalog/price-record.ts'
import { ownModels } from '../../match/taxonomy.ts'
import type { WordingContext } from './context.ts'
import { costFactor } from './cost.ts'
import { versionOrder } from './successor.ts'

/**
 * Models of the same class as the one that is left: the same modality, at most `classFactorMax` times as dear, of the
 * same maker or on the same platform. Those on the same platform come first, then those of the same maker, then those
 * with the most words of the name in common, then the nearest in price. One offer per model.
 */
export function findClass({
  records,
  reference,
  candidates,
  context,
}: {
  records: readonly PriceRecord[]
  reference: PriceRecord
  candidates: readonly PriceRecord[]
  context: WordingContext
}): PriceRecord[] {
  const { classFactorMax, classMax } = context.policy.alternatives
  const platforms = new Set(records.map(({ platform }) => platform))
  const own = new Set(records.map(modelName))
  const maker = reference.vendor === 'unknown' ? findMaker(reference.platform) : reference.vendor
  const words = splitWords(modelName(reference))
  const rated = candidates.flatMap((price) => {
    const isHere = platforms.has(price.platform)
    const isOfMaker = price.vendor === maker
    if (price.modality !== reference.modality || own.has(modelName(price)) || !(isHere || isOfMaker))
      return []
    if (findSpecialty(price) !== findSpecialty(reference)) return []
    const shared = splitWords(modelName(price)).filter((word) => words.includes(word)).length
    // An older version is a step back.
    if (shared > 0 && isOlder(price, reference)) return []
    const factor = costFactor(reference, price, context)
    if (factor === null ? shared === 0 || !isFree(reference) : factor.gt(classFactorMax)) return []
    const distance = factor === null || factor.isZero() ? 9 : Math.abs(Math.log2(factor.toNumber()))
    return [{ price, isHere, isOfMaker, shared, distance }]
  })
  rated.sort(
    (a, b) =>
      Number(b.isHere) - Number(a.isHere) ||
      Number(b.isOfMaker) - Number(a.isOfMaker) ||
      b.shared - a.shared ||
      a.distance - b.distance ||
      (a.price.resource_id < b.price.resource_id ? -1 : 1),
  )
  const perModel = Map.groupBy(rated, ({ price }) => price.product_id ?? modelName(price))
  return [...perModel.values()].map(([first]) => first!.price).slice(0, classMax)
}

/** The maker whose models a platform sells as its own, for a model whose maker no source names. */
function findMaker(platform: string | null): string | null {
  return platform !== null && Object.hasOwn(ownModels, platform) ? ownModels[platform]! : null
}

/** What a model is made for, by the words of its id: `audio`, `tts`; empty: nothing special. */
function findSpecialty({ resource_id, product_id }: PriceRecord): string {
  const words = `${resource_id} ${product_id ?? ''}`.toLowerCase().split(/[^a-z]+/)
  return [...new Set(words.filter((word) => specialties.has(word)))].sort().join(' ')
}

const specialties = new Set([
  ...['audio', 'tts', 'realtime', 'live', 'native', 'transcribe', 'image', 'vision', 'video', 'music', 'ocr'],
  ...[
    'search',
    'research',
    'guard',
    'safeguard',
    'safety',
    'moderation',
    'ft',
    'computer',
    'robotics',
    'prover',
  ],
])

/** Free, or its price is not known: there is nothing to compare. */
function isFree({ input_per_mtok: input, output_per_mtok: output }: PriceRecord): boolean {
  return (input === null || Number(input) === 0) && (output === null || Number(output) === 0)
}

function isOlder(price: PriceRecord, reference: PriceRecord): boolean {
  return (versionOrder(modelName(price), modelName(reference)) ?? 0) < 0
}

function modelName({ product_id, resource_id }: PriceRecord): string {
  return product_id ?? resource_id.slice(resource_id.lastIndexOf(':') + 1)
}

/** The words of a model's name without its maker, numbers and marks of a version. */
function splitWords(name: string): string[] {
  const model = name.slice(name.lastIndexOf('/') + 1).toLowerCase()
  return [...new Set(model.split(/[^a-z]+/))].filter((word) => word.length > 1 && !commonWords.has(word))
}

const commonWords = new Set([
  'instruct',
  'chat',
  'preview',
  'latest',
  'exp',
  'experimental',
  'it',
  'hf',
  'tee',
  'fp',
])
