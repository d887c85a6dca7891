import type { Modality } from '../features/prices/price-record.ts'
import { namedModalities } from './model-names.ts'
import { modalityKnowledge, operatorSources } from './source-ranks.ts'

/** The modality that a model's name shows; null: none. */
export function modalityOfName(name: string): Modality | null {
  return namedModalities.find(({ pattern }) => pattern.test(name.toLowerCase()))?.modality ?? null
}

/** The modality of a model that makes `outputs`. Lists of outputs call vectors and ranks `text`. */
export function modalityOfOutputs(name: string, outputs: readonly string[]): Modality | null {
  if (outputs.includes('text')) return modalityOfName(name) ?? 'llm'
  const [output] = outputs
  if (output === undefined) return modalityOfName(name)
  return output === 'image' || output === 'audio' || output === 'video' ? output : 'other'
}

/**
 * The modality of a model of several rows and sources. A source that says what a model is for (`embedding`, `image`)
 * counts more than one that calls whatever is billed by tokens `llm`. Only a source that knows the difference can deny
 * it. A name that says embed is never an `llm`.
 */
export function agreedModality(
  names: readonly string[],
  rows: readonly { source: string; modality: Modality | null }[],
): Modality | null {
  const counts = new Map<string, Map<Modality, number>>()
  for (const { source, modality } of rows) {
    if (modality === null) continue
    let own = counts.get(source)
    if (own === undefined) counts.set(source, (own = new Map()))
    own.set(modality, (own.get(modality) ?? 0) + 1)
  }
  const votes = [...counts].map(([source, own]) => ({ source, modality: mostOf(own) }))
  const operator = votes.find(({ source, modality }) => operatorSources.includes(source) && modality !== 'llm')
  if (operator) return operator.modality

  const byName = mostOf(countOf(names.flatMap((name) => modalityOfName(name) ?? [])))
  const special = mostOf(countOf(votes.flatMap(({ modality }) => (modality === 'llm' ? [] : [modality]))))
  if (special === undefined) return byName === 'embedding' ? byName : votes.length > 0 ? 'llm' : byName ?? null
  const saying = votes.filter(({ modality }) => modality !== 'llm').length
  const denying = votes.filter(({ source, modality }) => modality === 'llm' && canDeny(source, special)).length
  return saying >= denying || byName === special ? special : 'llm'
}

function canDeny(source: string, modality: Modality): boolean {
  const knows = Object.hasOwn(modalityKnowledge, source) ? modalityKnowledge[source] : 'all'
  return knows === 'all' || (knows === 'outputs' && ['image', 'audio', 'video'].includes(modality))
}

function countOf(modalities: readonly Modality[]): Map<Modality, number> {
  const counts = new Map<Modality, number>()
  for (const modality of modalities) counts.set(modality, (counts.get(modality) ?? 0) + 1)
  return counts
}

/** The most frequent; of several the one that says most. */
function mostOf(counts: ReadonlyMap<Modality, number>): Modality {
  const vague: readonly Modality[] = ['llm', 'other']
  const place = (modality: Modality) => (vague.includes(modality) ? 1 : 0)
  return [...counts].toSorted(
    ([a, left], [b, right]) => right - left || place(a) - place(b) || (a < b ? -1 : 1),
  )[0]?.[0] as Modality
}
