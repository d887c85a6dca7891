import { mapInTurns } from '../platform/in-turns.ts'
import { nameKey, withoutEndings } from './model-key.ts'
import { familySpellings, variantEndings } from './model-names.ts'

/** A product, or a record that no product is known of. */
export interface NamedModel {
  /** Of the product, or of the resource. */
  id: string
  isProduct: boolean
  vendor: string
  rows: readonly unknown[]
}

/** A name takes some 30 µs to read. */
const namesAtOnce = 100

/**
 * The models that are one: precisions, speeds and tiers of the same weights, and hosts' names for it. Sizes, versions,
 * distilled and tuned models, and what its maker calls mini, vision, thinking, coder or base are models of their own.
 * Something is folded only under a product that is known, and a record only where its maker is. The first of each is
 * the product without endings that has the most records. Other requests are answered meanwhile.
 */
export async function groupFamilies<T extends NamedModel>(models: readonly T[]): Promise<T[][]> {
  const keyed = await mapInTurns(models, namesAtOnce, (model) => ({ model, key: familyKey(model) }))
  const known = new Set(keyed.filter(({ model }) => model.isProduct).map(({ key }) => key))
  const based = await mapInTurns(keyed, namesAtOnce, ({ model, key }) => {
    const base = known.has(key) || model.vendor !== 'unknown' ? withoutVariant(key, known) : null
    return { model, key, base: base ?? `\0${model.id}` }
  })
  const groups = Map.groupBy(based, ({ base }) => base)
  return [...groups].map(([base, group]) => {
    const rank = ({ model, key }: (typeof group)[number]) =>
      model.isProduct ? (key === base ? 1_000_000 : 0) + model.rows.length : -1
    return group
      .toSorted((a, b) => rank(b) - rank(a) || (a.model.id < b.model.id ? -1 : 1))
      .map(({ model }) => model)
  })
}

function familyKey({ id, isProduct, vendor }: NamedModel): string {
  const name = isProduct ? id.slice(id.indexOf('/') + 1) : recordName(id)
  return `${vendor}/${respell(nameKey(name.toLowerCase(), vendor))}`
}

function respell(key: string): string {
  return familySpellings.reduce((spelled, { pattern, to }) => spelled.replace(pattern, to), key)
}

/** The shortest known key without endings, or else the one of which it is a snapshot; null: none is known. */
function withoutVariant(key: string, known: ReadonlySet<string>): string | null {
  const [vendor, name] = splitAt(key, key.indexOf('/') + 1)
  for (const pattern of variantEndings) {
    const shorter = name.replace(pattern, '')
    const base = shorter === name ? null : withoutVariant(vendor + respell(shorter), known)
    if (base !== null) return base
  }
  if (known.has(key)) return key
  const snapshotOf = vendor + withoutEndings(name, (shorter) => known.has(vendor + shorter))
  return known.has(snapshotOf) ? snapshotOf : null
}

const splitAt = (text: string, place: number) => [text.slice(0, place), text.slice(place)] as const

/** The name in a record's id, without what platforms write before and after it. */
function recordName(resourceId: string): string {
  const path = resourceId.slice(resourceId.indexOf(':') + 1).replace(/(?:-v\d+)?:\d+(?::\d+k)?$/, '')
  const last = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf(':')) + 1)
  return last.replace(/^.*@(?=[a-z])/i, '').replace(/^(?:[a-z\d-]+\.)+(?=[a-z])/i, '')
}

/** Words of platforms that tell two records of a model apart in nothing. */
const emptyWords = new Set(['v1', 'maas', 'hf', 'default', 'meta', 'alibaba', 'flux'])

/**
 * What a record's id says beyond the name of its model: the day of a snapshot, a precision, a speed.
 * @param own its maker and its platform, whose names say nothing
 */
export function variantText(
  resourceId: string,
  modelId: string,
  own: readonly (string | null)[] = [],
): string {
  const left = nameKey(modelId.slice(modelId.lastIndexOf('/') + 1)).split('-')
  const words = nameKey(recordName(resourceId))
    .split('-')
    .filter((word) => {
      const place = left.indexOf(word)
      if (place >= 0) left.splice(place, 1)
      return place < 0 && !emptyWords.has(word) && !own.includes(word)
    })
  return words
    .join('-')
    .replace(/^(20\d\d)-?(\d\d)-?(\d\d)(?=-|$)/, '$1-$2-$3')
    .replaceAll(/-(?=[a-z])/g, ' ')
}
