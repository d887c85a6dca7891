import { formatAge, formatAmount, formatCount, formatNumber, nameAmount } from '@ratecard/contract/wording'
import type { RequestHandler } from 'express'
import type { Db } from '../../database/connect.ts'
import { listCorrections } from '../../features/changes/corrections.ts'
import { findPlatform, type Catalogue } from '../../catalog/catalogue.ts'
import { companyName, sourceName } from '@ratecard/contract/model-name'
import { countWitnesses, listDisputes, listSourceRecords } from '../../catalog/truth-store.ts'
import { html, type Html } from './html.ts'
import { buildPage, type CreatePage } from './layout.ts'
import type { PageCache, PageData } from './page-cache.ts'
import { cardTable } from './parts.ts'
import { changePath, day, modelPath } from './words.ts'

// How far to trust the prices, from what is stored of them.

const disputesShown = 60
const disputesInFile = 1_000
const correctionsShown = 30

async function readTruth({ db, catalogue }: Pick<PageData, 'db' | 'catalogue'>, disputesMax: number) {
  return {
    witnesses: await countWitnesses(db),
    sources: await listSourceRecords(db),
    disputes: await readDisputes(db, catalogue, disputesMax),
    corrections: await listCorrections(db, correctionsShown),
  }
}
type Truth = Awaited<ReturnType<typeof readTruth>>

async function readDisputes(db: Db, { records }: Catalogue, limit: number) {
  const disputes = await listDisputes(db, limit)
  return disputes.flatMap(({ resource_id, field, said_by, denied_by }) => {
    const model = records.get(resource_id)
    const row = model?.rows.find((each) => each.resource_id === resource_id)
    // What waits is not served, and nobody is wrong yet.
    if (!model || !row || row[field] === null) return []
    return [{ resource_id, name: model.name, path: modelPath(model), platform: findPlatform(row), field, currency: row.currency, served: row[field], said_by, denied_by }] // prettier-ignore
  })
}

/** The same as a file. */
export function truthFile(pages: PageCache): RequestHandler {
  return pages.handler(() => ({
    key: '/truth.json',
    render: async (data) =>
      buildPage('application/json; charset=utf-8', JSON.stringify(await readTruth(data, disputesInFile))),
  }))
}

export function truthPage(pages: PageCache, createPage: CreatePage): RequestHandler {
  return pages.handler(() => ({
    key: '/truth',
    render: async (data) => {
      const { witnesses, sources, disputes, corrections } = await readTruth(data, disputesShown)
      return createPage({
        title: 'How true are these prices?',
        description:
          'Who states each price, where sources disagree, how often each list was overruled, and what we got wrong ourselves.',
        canonical: '/truth',
        ages: data.ages,
        body: html`<h1>How true are these prices?</h1>
          <p class="lead">
            Who states them, where sources disagree, and what we got wrong. As data:
            <a href="/truth.json">truth.json</a>.
          </p>
          ${witnessTiles(witnesses)} ${sources.length > 0 && sourceTable(sources)}
          ${disputes.length > 0 && disputeTable(disputes, witnesses.disputed)}
          ${correctionSection(corrections)}`,
      })
    },
  }))
}

function witnessTiles({ amounts, seller, several, single, none, disputed }: Truth['witnesses']): Html {
  if (amounts === 0) return html`<p class="panel">No prices have been read yet.</p>`
  const tile = (name: string, count: number, detail: string) =>
    html`<div>
      <dt>${name}</dt>
      <dd>${((100 * count) / amounts).toFixed(1)} %<small>${formatNumber(count)} ${detail}</small></dd>
    </div>`
  return html`<dl class="tiles">
    ${tile('The seller says so', seller, 'amounts from its own list or page')}
    ${tile('Several lists agree', several, 'amounts, two lists or more')}
    ${tile('One list alone', single, 'amounts')}
    ${none > 0 && tile('No list any more', none, 'amounts; a move away from them waits')}
    ${tile('Disputed', disputed, 'of all amounts; a list states another one')}
  </dl>`
}

function sourceTable(sources: Truth['sources']): Html {
  return html`<h2>The sources</h2>
    <p class="soft">
      “Alone”: no other source states the amount. “Overruled”: it states another amount than the one we serve,
      now. How often that was the vendor's own change, seen late, is not recorded.
    </p>
    ${cardTable(
      'Sources',
      html`<th scope="col">Source</th>
        <th scope="col" class="num">Amounts</th>
        <th scope="col" class="num">Alone</th>
        <th scope="col" class="num">Overruled</th>`,
      sources.map(
        ({ source, amounts, alone, overruled }) =>
          html`<tr>
            <th scope="row">${sourceName(source)}</th>
            <td class="num" data-label="Amounts">${formatNumber(amounts)}</td>
            <td class="num" data-label="Alone">${shareText(alone, amounts)}</td>
            <td class="num" data-label="Overruled">${shareText(overruled, amounts)}</td>
          </tr>`,
      ),
    )}`
}

const shareText = (count: number, all: number): string =>
  `${formatNumber(count)} (${((100 * count) / all).toFixed(1)} %)`

function disputeTable(disputes: Truth['disputes'], all: number): Html {
  return html`<h2>Sources disagree</h2>
    <p class="soft">
      ${disputes.length < all && `The ${disputes.length} that most sources deny; truth.json has more. `}Each
      model's page says who states what, and since when.
    </p>
    ${cardTable(
      'Amounts that sources state differently',
      html`<th scope="col">Model</th>
        <th scope="col">Platform</th>
        <th scope="col">Amount</th>
        <th scope="col">We serve</th>
        <th scope="col">Others state</th>`,
      disputes.map(
        ({ name, path, platform, field, currency, served, said_by, denied_by }) =>
          html`<tr>
            <th scope="row"><a href="${path}#sources">${name}</a></th>
            <td data-label="Platform">${companyName(platform)}</td>
            <td data-label="Amount">${nameAmount(field)}</td>
            <td data-label="We serve">
              ${formatAmount(served, currency)}
              <span class="soft">${said_by.map(sourceName).join(', ')}</span>
            </td>
            <td data-label="Others state">
              ${Object.entries(denied_by).map(([source, amount], place) => html`${place > 0 && ', '}${formatAmount(amount, currency)} <span class="soft">${sourceName(source)}</span>`)}
            </td>
          </tr>`,
      ),
      'cards dense',
    )}`
}

function correctionSection(corrections: Truth['corrections']): Html {
  return html`<h2>What we got wrong</h2>
    ${
      corrections.length === 0
        ? html`<p class="soft">No correction has been published.</p>`
        : html`<p class="soft">
              The last ${formatCount(corrections.length, 'correction')}, and how long the state before was
              served.
            </p>
            <ul class="list">
              ${corrections.map(
                ({ id, title, corrected_at, stood_seconds: seconds }) =>
                  html`<li>
                    <div class="meta">
                      <span>${day(corrected_at)}</span>
                      <span
                        >${seconds === null ? 'not known how long it stood' : `stood ${formatAge(seconds * 1_000)}`}</span
                      >
                    </div>
                    <a href="${changePath(id)}">${title}</a>
                  </li>`,
              )}
            </ul>`
    }`
}
