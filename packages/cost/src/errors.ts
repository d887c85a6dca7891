/** A usage that cannot be read. The message names what to use instead. It holds no value of the object. */
export class UsageError extends Error {
  override get name(): string {
    return 'UsageError'
  }
}
