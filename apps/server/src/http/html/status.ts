import { formatCount, formatDistance, formatNumber } from '@ratecard/contract/wording'
import { listSourceStatus, type SourceStatus } from '../../features/prices/source-status.ts'
import { listAgreement, type SourceAgreement } from '../../features/prices/source-agreement.ts'
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
      const confirmed = [...catalogue.rows.values()].filter(({ is_confirmed }) => is_confirmed).length
      const priced = [...catalogue.rows.values()].filter(({ is_confirmed }) => is_confirmed !== null).length
      return createPage({
        title: 'Status of the data',
        description:
          'Every source of our prices: its version, how old its data are, its rows, what waits for a person, and how often others agree.',
        canonical: '/status',
        body: html`<h1>Status of the data</h1>
          <p class="lead">
            ${formatNumber(catalogue.rowCount)} prices from ${formatCount(sources.length, 'source')}; of
            ${formatNumber(priced)} prices by the token, ${formatNumber(confirmed)} are confirmed: two or more
            independent sources state them, and no more deny them.
          </p>
          ${
            sources.length > 0
              ? cardTable(
                  'Sources',
                  head,
                  sources.map((source) => sourceRow(source, agreement.get(source.id))),
                )
              : html`<p class="panel">No source has been read yet.</p>`
          }
          <p class="note">
            The age is that of the data, not of the reading: a file that is read again unchanged grows old.
            What waits for a person is not served before. “Agreed” counts the amounts of a source that are
            served.
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

function sourceRow(source: SourceStatus, agreement: SourceAgreement | undefined): Html {
  return html`<tr>
    <th scope="row">
      ${source.id}${source.outcome !== 'applied' && html` <span class="badge warn">last reading ${source.outcome}</span>`}
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
    <td class="num" data-label="Agreed">${agreedText(agreement)}</td>
  </tr>`
}

function agreedText(agreement: SourceAgreement | undefined): string {
  if (!agreement || agreement.amounts === 0) return '–'
  return `${((100 * agreement.served) / agreement.amounts).toFixed(1)} %`
}
