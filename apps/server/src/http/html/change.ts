import type { RequestHandler } from 'express'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../database/connect.ts'
import { findChange, type StoredChange } from '../../features/changes/change-store.ts'
import { enterGate, type Gate } from '../pipeline/shed.ts'
import { createPage, html, sendPage, type Html, type Page } from './layout.ts'

const rememberedMs = 5_000
const rememberedBytesMax = 2 * 1_024 * 1_024

/** The public HTML page of a change, to which alerts link: what a summary shows, readable without a key. */
export function changePage(db: Db, gate: Gate): RequestHandler<{ id: string }> {
  // An alert to many receivers, or a crawler, then costs the database one query in some seconds. Absent changes are
  // kept too.
  const remembered = new LRUCache<string, Promise<Page>>({ maxSize: rememberedBytesMax, ttl: rememberedMs })
  return async (req, res) => {
    const { id } = req.params
    const known = remembered.get(id)
    if (known) return sendPage(res, await known)
    enterGate(gate, res)
    const reading = readPage(db, id)
    remembered.set(id, reading, { size: pageBytes + 2 * id.length })
    reading.catch(() => remembered.delete(id))
    return sendPage(res, await reading)
  }
}

/** What an HTML page takes in memory, with its compressed forms, roughly. */
const pageBytes = 8_192

async function readPage(db: Db, id: string): Promise<Page> {
  const change = id.includes('\0') ? undefined : await findChange(db, id)
  if (change) return createPage({ title: change.title, body: changeBody(change) })
  return createPage({
    status: 404,
    title: 'No such change',
    body: html`<h1>There is no such change</h1>
      <p>The address may be mistyped. The API lists every published change at GET /v1/changes.</p>`,
  })
}

function changeBody(change: StoredChange): Html {
  return html`<p class="soft">
      ${change.vendor} · ${change.product} ·
      <span class="badge">${change.category.replaceAll('_', ' ')}</span>
    </p>
    <h1>${change.title}</h1>
    <p>${change.summary}</p>
    <dl class="facts">
      <dt>Severity</dt>
      <dd>${change.severity} of 5</dd>
      <dt>Modality</dt>
      <dd>${change.modality}</dd>
      ${fact('Status', change.status?.replaceAll('_', ' '))} ${fact('In effect', change.effective_time)}
      <dt>First seen</dt>
      <dd><time datetime="${change.first_seen}">${readable(change.first_seen)}</time></dd>
      <dt>Published</dt>
      <dd><time datetime="${change.created_at}">${readable(change.created_at)}</time></dd>
      <dt>Verified</dt>
      <dd>${change.verified ? 'yes, by two independent sources or by hand' : 'not yet'}</dd>
      ${
        change.source_url
          ? html`<dt>Source</dt>
              <dd><a rel="noreferrer nofollow" href="${change.source_url}">${change.source_url}</a></dd>`
          : ''
      }
    </dl>
    <p class="soft">
      Before and after, deadlines and alternatives are in the API: GET
      /v1/changes?product=${encodeURIComponent(change.product)}
    </p>`
}

function fact(name: string, value: string | null | undefined): Html {
  return value
    ? html`<dt>${name}</dt>
        <dd>${value}</dd>`
    : html``
}

function readable(instant: string): string {
  return `${instant.slice(0, 10)} ${instant.slice(11, 16)} UTC`
}
