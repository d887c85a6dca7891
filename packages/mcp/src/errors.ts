import { CatalogError, UsageError } from '@ratecard/cost'
import { RatecardError } from '@ratecard/sdk'

/** What a model is told when a tool cannot do what it was asked: a sentence that says what to do instead. */
export class ToolError extends Error {}

/** Writes a failure that nobody has foreseen to stderr: stdout is the protocol's alone. */
export function report(error: unknown): void {
  process.stderr.write(
    `ratecard-mcp: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
}

/** The sentence of an error. What nobody has foreseen is reported, and says nothing of the inside. */
export function toSentence(error: unknown, reportTo: (error: unknown) => void): string {
  const isForeseen = [ToolError, RatecardError, UsageError, CatalogError].some(
    (kind) => error instanceof kind,
  )
  if (isForeseen) return (error as Error).message
  reportTo(error)
  return 'Something went wrong inside this program. Its log says more.'
}
