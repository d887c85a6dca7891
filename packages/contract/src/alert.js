/** @import { AlertedChange, AlertEvent, webhooks } from './index.ts' */
import { toInstant } from './instant.js'

/** Categories that are in no change alert: they tell of operations and of our own records, not of a vendor's change. */
const silentCategories = new Set(['incident', 'correction', 'metadata'])

/**
 * Each event with its webhook in the contract, and which published changes it tells of. All have a body of one form.
 * @type {Record<AlertEvent, { webhook: keyof webhooks, tellsOf: (category: string) => boolean }>}
 */
export const alertEvents = {
  'change.alert': { webhook: 'changeAlert', tellsOf: (category) => !silentCategories.has(category) },
}

export const allEvents = /** @type {AlertEvent[]} */ (Object.keys(alertEvents))

/** What a subscription is sent that names no events. */
export const eventsDefault = /** @type {AlertEvent[]} */ (['change.alert'])

/**
 * The events that tell of changes of a category.
 * @param {string} category
 */
export function eventsAbout(category) {
  return allEvents.filter((event) => alertEvents[event].tellsOf(category))
}

/**
 * The events that a subscription gets.
 * @param {readonly string[]} listed
 */
export function listEvents(listed) {
  return allEvents.filter((event) => listed.includes(event) || listed.includes('*'))
}

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
 * The alerts that tell of published changes, event by event.
 * @param {readonly Omit<AlertedChange, 'url'>[]} published
 * @param {string} publicUrl
 */
export function buildAlerts(published, publicUrl) {
  return allEvents.flatMap((event) => {
    const told = published.filter(({ category }) => alertEvents[event].tellsOf(category))
    const alerts = splitIntoAlerts(told.map((change) => alertedChange(change, publicUrl)))
    return alerts.map((changes) => ({ event, changes }))
  })
}

/**
 * The body of an attempt at `now`. Serialised anew for each: a receiver that checks the age of
 * `timestamp` accepts a retry after a day.
 * @param {AlertEvent} event
 * @param {string} changesJson the changes, serialised once per alert
 * @param {Date} now
 */
export function alertText(event, changesJson, now) {
  return `{"event":"${event}","timestamp":"${toInstant(now)}","changes":${changesJson}}`
}
