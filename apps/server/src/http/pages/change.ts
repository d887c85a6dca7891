import type { RequestHandler } from 'express'
import type { Db } from '../../database/connect.ts'
import { findChange, type StoredChange } from '../../features/changes/change-store.ts'
import { ApiError } from '../errors.ts'
import { html, sendPage, type Html } from './layout.ts'

/** The public page of a change, to which alerts link: what a summary shows, readable without a key. */
export function changePage(db: Db, isReady: () => boolean): RequestHandler<{ id: string }> {
  return async (req, res) => {
    if (!isReady()) throw new ApiError('service_unavailable')
    const { id } = req.params
    const change = id.includes('\0') ? undefined : await findChange(db, id)
    if (!change) {
      sendPage(res, {
        status: 404,
        title: 'No such change',
        body: html`<h1>There is no such change</h1>
          <p>The address may be mistyped. The API lists every published change at GET /v1/changes.</p>`,
      })
      return
    }
    sendPage(res, { title: change.title, body: changeBody(change) })
  }
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
