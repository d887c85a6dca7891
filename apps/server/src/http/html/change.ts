import type { RequestHandler } from 'express'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../database/connect.ts'
import { listEvidence, type ChangeEvidence } from '../../features/changes/change-evidence.ts'
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
  if (change) {
    const evidence = await listEvidence(db, id, evidenceRowsMax)
    return createPage({ title: change.title, body: changeBody(change, evidence) })
  }
  return createPage({
    status: 404,
    title: 'No such change',
    body: html`<h1>There is no such change</h1>
      <p>The address may be mistyped. The API lists every published change at GET /v1/changes.</p>`,
  })
}

function changeBody(change: StoredChange, evidence: readonly ChangeEvidence[]): Html {
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
    ${evidence.length === 0 ? '' : evidenceTable(evidence)}
    <p class="soft">
      Before and after, deadlines and alternatives are in the API: GET
      /v1/changes?product=${encodeURIComponent(change.product)}
    </p>`
}

/** The page stays small: a change of a list of thousands has as many claims. */
const evidenceRowsMax = 60

function evidenceTable(evidence: readonly ChangeEvidence[]): Html {
  return html`<h2>Who says so</h2>
    <div class="wide">
      <table>
        <thead>
          <tr>
            <th>Source</th>
            <th>Row</th>
            <th>States</th>
            <th>Before</th>
            <th>Since</th>
            <th>Read</th>
          </tr>
        </thead>
        <tbody>
          ${evidence.map(
            (row) =>
              html`<tr>
                <td>
                  ${row.source}${row.version === null ? '' : html` <span class="soft">${row.version}</span>`}
                </td>
                <td>
                  ${
                    row.source_url === null
                      ? row.source_key
                      : html`<a rel="noreferrer nofollow" href="${row.source_url}">${row.source_key}</a>`
                  }
                </td>
                <td>
                  ${row.field === null ? 'the row' : `${fieldName(row.field)} ${row.amount ?? 'unknown'}`}
                </td>
                <td>${row.amount_before ?? ''}</td>
                <td><time datetime="${row.since}">${row.since.slice(0, 10)}</time></td>
                <td><time datetime="${row.last_seen}">${row.last_seen.slice(0, 10)}</time></td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

function fieldName(field: string): string {
  return field.replace(/_per_(mtok|unit|min|sec)$/, '').replaceAll('_', ' ')
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
