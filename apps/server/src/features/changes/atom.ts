import type { StoredChange } from './change-store.ts'

// The changes as an Atom document (RFC 4287).

/** @param updatedAt of the newest entry; a document without entries has never been updated: the epoch */
export function atomFeedStart(baseUrl: string, updatedAt = '1970-01-01T00:00:00Z'): string {
  const id = `${baseUrl}/changes`
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escape(id)}</id>
  <title>Ratecard: price and API changes</title>
  <updated>${updatedAt}</updated>
  <link rel="alternate" type="text/html" href="${escape(id)}"/>
  <link rel="self" type="application/atom+xml" href="${escape(`${baseUrl}/changes.atom`)}"/>
  <author><name>Ratecard</name></author>
`
}

/** The address of a change is its id, by which readers recognise it. */
export function atomEntry(change: StoredChange, baseUrl: string): string {
  const url = escape(`${baseUrl}/changes/${encodeURIComponent(change.id)}`)
  const source =
    change.source_url === null ? '' : `\n    <link rel="related" href="${escape(change.source_url)}"/>`
  return `  <entry>
    <id>${url}</id>
    <title>${escape(change.title)}</title>
    <updated>${change.updated_at}</updated>
    <published>${dayOf(change)}</published>
    <link rel="alternate" href="${url}"/>${source}
    <category term="${escape(change.category)}"/>
    <category term="${escape(change.vendor)}"/>
    <summary>${escape(change.summary ?? '')}</summary>
  </entry>
`
}

/** When it was news: its day, unless that is still to come; else when it was first seen. */
function dayOf({ effective_time, first_seen, created_at }: StoredChange): string {
  const day = effective_time == null ? first_seen : `${effective_time.slice(0, 10)}T00:00:00Z`
  return day <= created_at ? day : created_at
}

export const atomFeedEnd = '</feed>\n'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Text of an element or attribute. Characters that XML 1.0 cannot write are left out. */
function escape(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, '')
    .replace(/[&<>"]/g, (character) => entities[character] ?? character)
}
