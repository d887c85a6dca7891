import { ConfigurationError } from './errors.ts'

/**
 * Parameters as the contract spells them: `minSeverity` becomes `min_severity`, a Date its instant in UTC. Names that are
 * not known here are sent too: the server refuses them, and a misspelled filter never looks like a full result.
 */
export function toQuery(params: object): Record<string, string | number | boolean> {
  const query: Record<string, string | number | boolean> = {}
  for (const [name, value] of Object.entries(params) as [string, unknown][]) {
    if (value === undefined) continue
    const spelled = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const plain = value instanceof Date ? value.toISOString() : value
    // Left to openapi-fetch, null and objects would vanish or be spread, and the filter with them.
    if (plain === null || typeof plain === 'object')
      throw new ConfigurationError(`The parameter ${name} cannot be sent.`)
    query[spelled] = plain as string | number | boolean
  }
  return query
}

/** An id as part of a path. `.` and `..` would become another path, however they are encoded. */
export function checkId(id: string): string {
  if (typeof id !== 'string' || /^\.{0,2}$/.test(id))
    throw new ConfigurationError('The id cannot be part of a path.')
  return id
}
