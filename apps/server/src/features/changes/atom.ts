import type { StoredChange } from './change-store.ts'

// The changes as feeds: an Atom document (RFC 4287), and a JSON Feed.

/** Which changes a feed has. */
export interface FeedScope {
  title: string
  /** What chooses them: empty, or `?vendor=openai`. */
  search: string
}

const allChanges: FeedScope = { title: 'Ratecard: price and API changes', search: '' }

/** @param updatedAt of the newest entry; a document without entries has never been updated: the epoch */
export function atomFeedStart(
  baseUrl: string,
  updatedAt = '1970-01-01T00:00:00Z',
  { title, search } = allChanges,
): string {
  const id = `${baseUrl}/changes${search}`
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
  <id>${escape(id)}</id>
  <title>${escape(title)}</title>
  <updated>${updatedAt}</updated>
  <link rel="alternate" type="text/html" href="${escape(id)}"/>
  <link rel="self" type="application/atom+xml" href="${escape(`${baseUrl}/changes.atom${search}`)}"/>
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
    <published>${pickInstant(change)}</published>
    <link rel="alternate" href="${url}"/>${source}
    <category term="${escape(change.category)}"/>
    <category term="${escape(change.vendor)}"/>
    <summary>${escape(change.summary ?? '')}</summary>
  </entry>
`
}

/** The changes as a JSON Feed, version 1.1. */
export function jsonFeed(
  changes: readonly StoredChange[],
  baseUrl: string,
  { title, search } = allChanges,
): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: `${baseUrl}/changes${search}`,
    feed_url: `${baseUrl}/changes.json${search}`,
    language: 'en',
    authors: [{ name: 'Ratecard', url: baseUrl }],
    items: changes.map((change) => {
      const url = `${baseUrl}/changes/${encodeURIComponent(change.id)}`
      return {
        id: url,
        url,
        ...(change.source_url !== null && { external_url: change.source_url }),
        title: change.title,
        content_text: change.summary,
        date_published: pickInstant(change),
        date_modified: change.updated_at,
        tags: [change.category, change.vendor, change.product],
      }
    }),
  })
}

/** When it was news: its day, unless that is still to come; else when it was first seen. */
function pickInstant({ effective_time, first_seen, created_at }: StoredChange): string {
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
