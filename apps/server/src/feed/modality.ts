import type { Modality } from '../features/prices/price-record.ts'
import { namedModalities } from './taxonomy.ts'

/** What the name of a model says of its kind; null: nothing. */
export function modalityOfName(name: string): Modality | null {
  return namedModalities.find(({ pattern }) => pattern.test(name.toLowerCase()))?.modality ?? null
}

/** The kind of a model that makes `outputs`. Lists of outputs have no word for vectors and ranks: those are `text`. */
export function modalityOfOutputs(name: string, outputs: readonly string[]): Modality | null {
  if (outputs.includes('text')) return modalityOfName(name) ?? 'llm'
  const [output] = outputs
  if (output === undefined) return modalityOfName(name)
  return output === 'image' || output === 'audio' || output === 'video' ? output : 'other'
}
