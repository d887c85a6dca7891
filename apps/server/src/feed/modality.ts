import type { Modality } from '../features/prices/price-record.ts'
import { namedModalities } from './taxonomy.ts'

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
