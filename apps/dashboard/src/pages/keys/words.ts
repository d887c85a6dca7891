import type { Schemas } from '../../../contract/index.ts'

/** Several keys may have the same name. */
export function keyLabel({ name, last_four }: Pick<Schemas['Key'], 'name' | 'last_four'>): string {
  return `${name} (…${last_four})`
}
