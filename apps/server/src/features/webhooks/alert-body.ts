import type { AlertedChange, ChangeAlert } from '@ratecard/contract'
import { changeAlert } from './event-types.ts'

/** Most changes in one delivery. */
export const changesMax = 100
/** Most bytes of one body. */
export const bodyBytesMax = 256 * 1_024

// `{"event":…,"timestamp":…,"changes":[]}` with room to spare.
const envelopeBytes = 128

/** The fields of a change that an alert tells, with the address of its page. */
export function alertedChange(change: Omit<AlertedChange, 'url'>, publicUrl: string): AlertedChange {
  const { id, vendor, product, category, title, summary, severity } = change
  return {
    id,
    vendor,
    product,
    category,
    title,
    summary,
    severity,
    url: `${publicUrl}/changes/${encodeURIComponent(id)}`,
  }
}

/** Cuts changes into deliveries, by count and by bytes, in their order. None is dropped. */
export function splitIntoAlerts(changes: readonly AlertedChange[]): AlertedChange[][] {
  const alerts: AlertedChange[][] = []
  let bytes = 0
  for (const change of changes) {
    const size = Buffer.byteLength(JSON.stringify(change)) + 1
    const current = alerts.at(-1)
    if (current && current.length < changesMax && envelopeBytes + bytes + size <= bodyBytesMax) {
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
 * The body of an attempt at `now`. Serialised anew for each, so that a receiver that checks the age of
 * `timestamp` accepts a retry after a day.
 * @param changesJson the changes, serialised once per alert
 */
export function alertBody(changesJson: string, now: Date): Buffer {
  const head: Pick<ChangeAlert, 'event' | 'timestamp'> = {
    event: changeAlert,
    timestamp: now.toISOString().replace('Z', '000Z'),
  }
  return Buffer.from(
    `{"event":${JSON.stringify(head.event)},"timestamp":${JSON.stringify(head.timestamp)},"changes":${changesJson}}`,
  )
}
