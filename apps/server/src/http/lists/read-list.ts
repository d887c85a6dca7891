import type { Db } from '../../database/connect.ts'
import type { Replica } from '../../database/replica.ts'
import type { Logger } from '../../platform/logger.ts'
import { ListBytes } from './list-bytes.ts'
import type { ListSource } from './list-cache.ts'
import type { BadRow, ListCheck } from './list-check.ts'
import type { ListOperationId, ListQuery } from './list-query.ts'

export interface ListSourceOptions {
  db: Db
  /** Read as far as it is up to date. */
  replica: Replica | null
  check: ListCheck
  logger: Logger
}

/** Reads lists from the database, checks them against the contract, and encodes them as they are sent. */
export function createListSource({ db, replica, check, logger }: ListSourceOptions): ListSource {
  const logBadRows = createBadRowLog(logger)
  const readFrom = async ({ operation, read }: ListQuery, source: Db) => {
    const text = await read(source)
    const { body, badRows } = check(operation, text)
    if (badRows.length > 0) logBadRows(operation, badRows)
    return new ListBytes(text.version, Buffer.from(body))
  }
  return {
    read: (query) => readFrom(query, db),
    readReplica: replica && ((query) => replica.read((copy) => readFrom(query, copy))),
  }
}

/** Most rows in the state that the log remembers. */
const loggedMax = 1_000

/** Logs a row once in each state: the lists that it is in are read again whenever they have moved. */
function createBadRowLog(logger: Logger): (operation: ListOperationId, badRows: readonly BadRow[]) => void {
  const logged = new Set<string>()
  return (operation, badRows) => {
    const fresh = badRows.filter((row) => !logged.has(JSON.stringify(row)))
    if (fresh.length === 0) return
    if (logged.size > loggedMax) logged.clear()
    for (const row of fresh) logged.add(JSON.stringify(row))
    const rows = fresh.map(({ isLeftOut, ...row }) => ({ ...row, left_out: isLeftOut }))
    logger.error({ operation, rows }, 'rows are not as the contract says: served without what is wrong')
  }
}
