// Copies of this package know one another's errors: ESM beside CommonJS, one entry beside another.
const brand = Symbol.for('@ratecard/cost error')

function isOne(value: unknown, name: string): boolean {
  return (Object(value) as { [brand]?: string })[brand] === name
}

/** A usage that cannot be read. The message names what to use instead. It holds no text of the object. */
export class UsageError extends Error {
  override get name(): string {
    return 'UsageError'
  }
  get [brand](): string {
    return 'UsageError'
  }
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOne(value, 'UsageError')
  }
}

/** A catalog that cannot be taken: it is no snapshot, or only a part of one. */
export class CatalogError extends Error {
  override get name(): string {
    return 'CatalogError'
  }
  get [brand](): string {
    return 'CatalogError'
  }
  static override [Symbol.hasInstance](value: unknown): boolean {
    return isOne(value, 'CatalogError')
  }
}
