import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { AlertedChange } from '@ratecard/contract'
import { alertedChange } from '@ratecard/contract/alert'
import type { Db } from '../database/connect.ts'

/**
 * The changes of alerts as they are sent, serialised once for all subscriptions that get them. Published changes do not
 * change, so nothing here grows old, and each alert was checked against the contract when it was published.
 */
export class AlertBodies {
  readonly #changesJson = new LRUCache<string, string>({ max: 200 })
  readonly #db: Db
  readonly #publicUrl: string

  constructor(options: { db: Db; publicUrl: string }) {
    this.#db = options.db
    this.#publicUrl = options.publicUrl
  }

  /**
   * The changes of these alerts as JSON. Those that are not known yet are loaded, in one query.
   * @param alerts the ids of the changes by that of the alert
   */
  async load(alerts: ReadonlyMap<string, readonly string[]>): Promise<Map<string, string>> {
    const loaded = new Map<string, string>()
    const missing: [alertId: string, changeIds: readonly string[]][] = []
    for (const [alertId, changeIds] of alerts) {
      const known = this.#changesJson.get(alertId)
      if (known === undefined) missing.push([alertId, changeIds])
      else loaded.set(alertId, known)
    }
    if (missing.length === 0) return loaded
    const ids = [...new Set(missing.flatMap(([, changeIds]) => changeIds))]
    const rows = await this.#db
      .selectFrom('changes')
      .select(['id', 'vendor', 'product', 'category', 'title', 'summary', 'severity'])
      .where('id', '=', sql<string>`any(${ids})`)
      .execute()
    const byId = new Map(rows.map((row) => [row.id, alertedChange(row, this.#publicUrl)]))
    for (const [alertId, changeIds] of missing) {
      const changes = changeIds
        .map((id) => byId.get(id))
        .filter((change): change is AlertedChange => change !== undefined)
      const changesJson = JSON.stringify(changes)
      this.#changesJson.set(alertId, changesJson)
      loaded.set(alertId, changesJson)
    }
    return loaded
  }
}
