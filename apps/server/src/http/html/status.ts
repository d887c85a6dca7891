import { sourceName } from '@ratecard/contract/model-name'
import { formatCount, formatDistance, formatNumber } from '@ratecard/contract/wording'
import { listSourceStatus, type SourceStatus } from '../../ingest/publish/source-status.ts'
import { listAgreement, type SourceAgreement } from '../../catalog/source-agreement.ts'
import { html, type Html } from './html.ts'
import type { CreatePage } from './layout.ts'
import type { PageCache } from './page-cache.ts'
import { cardTable, instant } from './parts.ts'

/** What the prices are made of, source by source. */
export function statusPage(pages: PageCache, createPage: CreatePage) {
  return pages.handler(() => ({
    key: '/status',
    msMax: 60_000,
    render: async ({ db, catalogue }) => {
      const sources = await listSourceStatus(db)
      const agreement = new Map((await listAgreement(db)).map((row) => [row.source, row]))
      const describeAgreement = ({ id }: SourceStatus) =>
        sources.length === 1 ? 'one list' : agreedText(agreement.get(id))
      const rows = catalogue.models.flatMap((model) => model.rows)
      const confirmed = rows.filter(({ is_confirmed }) => is_confirmed).length
      const priced = rows.filter(({ is_confirmed }) => is_confirmed !== null).length
      return createPage({
        title: 'Data status',
        description:
          'Every source of our prices: its version, the age of its data, its rows, held changes, and how often it agrees with others.',
        canonical: '/status',
        body: html`<h1>Data status</h1>
          <p class="lead">
            ${formatNumber(catalogue.rowCount)} prices from ${formatCount(sources.length, 'source')};
            ${formatNumber(confirmed)} of ${formatNumber(priced)} token prices are confirmed by a second,
            independent source.
          </p>
          ${
            sources.length > 0
              ? cardTable(
                  'Sources',
                  head,
                  sources.map((source) => sourceRow(source, describeAgreement(source))),
                )
              : html`<p class="panel">No sources have been read yet.</p>`
          }
          <p class="note">
            Age is measured from the data's own date, not from when we fetched it. Held changes are not
            published until reviewed. “Agreed” is the share of a source's amounts that we serve.
          </p>`,
      })
    },
  }))
}

const head = html`<th scope="col">Source</th>
  <th scope="col">Version</th>
  <th scope="col">Data of</th>
  <th scope="col">Last read</th>
  <th scope="col" class="num">Rows</th>
  <th scope="col" class="num">Refused</th>
  <th scope="col" class="num">Held</th>
  <th scope="col" class="num">Agreed</th>`

function sourceRow(source: SourceStatus, agreed: string): Html {
  return html`<tr>
    <th scope="row">
      ${sourceName(source.id)}${source.outcome !== 'applied' && html` <span class="badge warn">last run ${source.outcome}</span>`}
    </th>
    <td data-label="Version"><span class="id">${source.version?.slice(0, 40) ?? '–'}</span></td>
    <td data-label="Data of">
      ${source.data_at ?? 'not stated'}${source.data_age_seconds !== null && html` <span class="soft">${formatDistance(-Math.floor(source.data_age_seconds / 86_400))}</span>`}
    </td>
    <td data-label="Last read">${instant(source.observed_at)}</td>
    <td class="num" data-label="Rows">${source.rows === null ? '–' : formatNumber(source.rows)}</td>
    <td class="num" data-label="Refused">
      ${source.rejected === null ? '–' : formatNumber(source.rejected)}
    </td>
    <td class="num" data-label="Held">${formatNumber(source.held)}</td>
    <td class="num" data-label="Agreed">${agreed}</td>
  </tr>`
}

function agreedText(agreement: SourceAgreement | undefined): string {
  if (!agreement || agreement.amounts === 0) return '–'
  return `${((100 * agreement.served) / agreement.amounts).toFixed(1)} %`
}
