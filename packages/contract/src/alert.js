/** @import { AlertedChange } from './index.ts' */
import { toInstant } from './instant.js'

/** The event that a delivery tells of, as its body names it. */
export const changeAlert = 'change.alert'

/** Categories that are in no alert: they tell of operations and of our own records, not of a vendor's change. */
export const silentCategories = new Set(['incident', 'correction', 'metadata'])

/** Most changes in one delivery. */
export const changesMax = 100
/** Most bytes of one body. */
export const alertBytesMax = 256 * 1_024

// `{"event":…,"timestamp":…,"changes":[]}` with room to spare.
const envelopeBytes = 128

/**
 * The fields of a change that an alert has, with the address of its page.
 * @param {Omit<AlertedChange, 'url'>} change
 * @param {string} publicUrl
 * @returns {AlertedChange}
 */
export function alertedChange({ id, vendor, product, category, title, summary, severity }, publicUrl) {
  const url = `${publicUrl}/changes/${encodeURIComponent(id)}`
  return { id, vendor, product, category, title, summary, severity, url }
}

/**
 * Cuts changes into deliveries, by count and by bytes, in their order. None is dropped.
 * @param {readonly AlertedChange[]} changes
 */
export function splitIntoAlerts(changes) {
  /** @type {AlertedChange[][]} */
  const alerts = []
  const utf8 = new TextEncoder()
  let bytes = 0
  for (const change of changes) {
    const size = utf8.encode(JSON.stringify(change)).length + 1
    const current = alerts.at(-1)
    if (current && current.length < changesMax && envelopeBytes + bytes + size <= alertBytesMax) {
      current.push(change)
      bytes += size
    } else {
      alerts.push([change])
      bytes = size
    }
  }
  return alerts
}

/**
 * The body of an attempt at `now`. Serialised anew for each: a receiver that checks the age of
 * `timestamp` accepts a retry after a day.
 * @param {string} changesJson the changes, serialised once per alert
 * @param {Date} now
 */
export function alertText(changesJson, now) {
  return `{"event":"${changeAlert}","timestamp":"${toInstant(now)}","changes":${changesJson}}`
}
