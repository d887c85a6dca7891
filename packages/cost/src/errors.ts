// Copies of this package know one another's errors: ESM beside CommonJS, one entry beside another.
const brand = Symbol.for('@ratecard/cost error')

abstract class CostError extends Error {
  abstract get [brand](): string
  override get name(): string {
    return this[brand]
  }
  static override [Symbol.hasInstance](value: unknown): boolean {
    return (Object(value) as CostError)[brand] === this.prototype[brand]
  }
}

/** A usage that cannot be read, or overrides that mean nothing. The message says what to do, and holds no text of an answer. */
export class UsageError extends CostError {
  override get [brand](): string {
    return 'UsageError'
  }
}

/** A catalog that cannot be taken: it is no snapshot, or only a part of one. */
export class CatalogError extends CostError {
  override get [brand](): string {
    return 'CatalogError'
  }
}
