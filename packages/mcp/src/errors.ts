import { CatalogError, UsageError } from '@ratecard/cost'
import { RatecardError } from '@ratecard/sdk'

/** What a model is told when a tool cannot do what it was asked: a sentence that says what to do instead. */
export class ToolError extends Error {}

/** The sentence of an error. What nobody has foreseen says nothing of the inside. */
export function toSentence(error: unknown): string {
  const isForeseen = [ToolError, RatecardError, UsageError, CatalogError].some(
    (kind) => error instanceof kind,
  )
  if (isForeseen) return (error as Error).message
  process.stderr.write(
    `ratecard-mcp: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  )
  return 'Something went wrong inside this program. Its log, on stderr, says more.'
}
