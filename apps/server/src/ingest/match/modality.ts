import type { Modality } from '../../catalog/price-record.ts'
import { hintedModalities, namedModalities } from '../../catalog/model-names.ts'
import { modalityKnowledge, operatorSources } from './source-ranks.ts'

/** The modality that a model's name shows; null: none. */
export function findModality(name: string): Modality | null {
  return namedModalities.find(({ pattern }) => pattern.test(name.toLowerCase()))?.modality ?? null
}

/** The modality of a model that makes `outputs`. Lists of outputs call vectors and ranks `text`. */
export function decideModality(name: string, outputs: readonly string[]): Modality | null {
  if (outputs.includes('text')) return findModality(name) ?? 'llm'
  const [output] = outputs
  if (output === undefined) return findModality(name)
  return output === 'image' || output === 'audio' || output === 'video' ? output : 'other'
}

/**
 * The modality of a model of several rows and sources. A source that says what a model is for (`embedding`, `image`)
 * counts twice as much as one that calls whatever is billed by tokens `llm`. A name that says embed is never an `llm`.
 */
export function agreedModality(
  names: readonly string[],
  rows: readonly { source: string; modality: Modality | null }[],
): Modality | null {
  const counts = new Map<string, Modality[]>()
  for (const { source, modality } of rows) {
    if (modality === null) continue
    const stated = counts.get(source)
    if (stated) stated.push(modality)
    else counts.set(source, [modality])
  }
  const votes = [...counts].flatMap(([source, stated]) => {
    const modality = mostStated(stated)
    return modality === null ? [] : [{ source, modality }]
  })
  const operator = votes.find(
    ({ source, modality }) => operatorSources.includes(source) && modality !== 'llm',
  )
  if (operator) return operator.modality

  const shown = mostStated(names.flatMap((name) => findModality(name) ?? []))
  const special = mostStated(
    rows.flatMap(({ modality }) => (modality === null || modality === 'llm' ? [] : [modality])),
  )
  if (special === null) return votes.length === 0 || shown === 'embedding' ? shown : 'llm'
  const isHinted = hintedModalities.some(
    (hint) => hint.modality === special && names.some((name) => hint.pattern.test(name)),
  )
  if (shown === special || isHinted) return special
  const saying = votes.filter(({ modality }) => modality !== 'llm')
  const denying = votes.filter(({ modality }) => modality === 'llm')
  const weight = denying.reduce((sum, { source }) => sum + (canDeny(source, special) ? 1 : 0.5), 0)
  return saying.length >= weight ? special : shown === 'embedding' ? shown : 'llm'
}

/** Whether the source would have said so, had it been so. */
function canDeny(source: string, modality: Modality): boolean {
  const knows = Object.hasOwn(modalityKnowledge, source) ? modalityKnowledge[source] : 'all'
  return knows === 'all' || (knows === 'outputs' && ['image', 'audio', 'video'].includes(modality))
}

/** The most frequent; of several the one that says most. */
function mostStated(stated: readonly Modality[]): Modality | null {
  const counts = Map.groupBy(stated, (modality) => modality)
  const isVague = (modality: Modality) => Number(modality === 'llm' || modality === 'other')
  const [most] = [...counts].toSorted(
    ([a, left], [b, right]) => right.length - left.length || isVague(a) - isVague(b) || (a < b ? -1 : 1),
  )
  return most?.[0] ?? null
}
