import { LRUCache } from 'lru-cache'
import type { Db } from '../database/connect.ts'
import { readAlertedChanges, type StoredAlert } from '../features/webhooks/alert-store.ts'

/**
 * The changes of alerts as they are sent, serialised once for all subscriptions that get them. Published changes do not
 * change, so nothing here grows old, and each alert was checked against the contract when it was published.
 */
export class AlertBodies {
  readonly #changesJson = new LRUCache<string, string>({ max: 200 })
  readonly #db: Db

  constructor(db: Db) {
    this.#db = db
  }

  /** The changes of these alerts as JSON, by the alert's id. Those that are not known yet are loaded, in one query. */
  async load(alerts: Iterable<StoredAlert>): Promise<Map<string, string>> {
    const loaded = new Map<string, string>()
    const missing = new Map<string, StoredAlert>()
    for (const alert of alerts) {
      const known = this.#changesJson.get(alert.alert_id)
      if (known === undefined) missing.set(alert.alert_id, alert)
      else loaded.set(alert.alert_id, known)
    }
    if (missing.size === 0) return loaded
    for (const [alertId, changesJson] of await readAlertedChanges(this.#db, [...missing.values()])) {
      this.#changesJson.set(alertId, changesJson)
      loaded.set(alertId, changesJson)
    }
    return loaded
  }
}
