interface ServerError {
  code?: string
  severity?: string
}

// Errors that end the connection, or leave open what was done: lost connections, shutdowns, time-outs of a session,
// failing disks, internal errors. A read-only node (25006) refuses for as long as one stays with it: the name may lead
// to a writer by now.
const endsConnection = /^(08|57P|58|XX)|^25006$|^25P0[34]$/

/**
 * Whether the server refused the statement: it is rolled back, and the connection as good as before. Read from the
 * code, because the severity is in the language of the server.
 */
export function isRefusal(error: unknown): boolean {
  const { code, severity } = error as ServerError
  if (code === undefined || severity === undefined) return false
  return severity !== 'FATAL' && severity !== 'PANIC' && !endsConnection.test(code)
}

/** Why the database carries out no write, where it says that it lacks something: a full disk, memory (class 53). Else null. */
export function findShortage(error: unknown): string | null {
  const { code = '' } = error as ServerError
  if (code === '53100') return 'the database takes no writes: its disk is full'
  return code.startsWith('53') ? `the database takes no writes: it lacks resources (SQLSTATE ${code})` : null
}

/**
 * Whether it was undone for the sake of others, by a deadlock or because transactions could not be put in an order, and
 * is to be done again as it was.
 */
export function isConflict(error: unknown): boolean {
  return /^(40P01|40001)$/.test((error as ServerError).code ?? '')
}
