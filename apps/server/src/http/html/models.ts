import { formatCount, formatNumber, nameModality } from '@ratecard/contract/wording'
import type { Request } from 'express'
import { isPriced, type Catalogue, type Model } from '../../catalog/catalogue.ts'
import { nearModelSearch, searchModels, type ModelFilter } from '../../catalog/model-search.ts'
import { searchScript } from './assets.ts'
import { html, type Html } from './html.ts'
import { readPage, buildQuery, readText, withQuery } from './inputs.ts'
import type { CreatePage } from './layout.ts'
import type { PageCache } from './page-cache.ts'
import {
  columnNames,
  findColumn,
  modelColumns,
  modelTable,
  usualColumns,
  type ModelColumn,
} from './model-table.ts'
import { choice, pageLinks } from './parts.ts'

const modelsOnPage = 100
interface Sort {
  column: ModelColumn
  isDown: boolean
}

/** A choice of more is no choice: the search finds the others. */
const choicesMax = 150

/** The search over all models: a form that works without a script. */
export function modelsPage(pages: PageCache, createPage: CreatePage) {
  return pages.handler((req) => {
    const search = readText(req, 'q') ?? ''
    const filter = {
      search,
      vendor: readText(req, 'vendor'),
      platform: readText(req, 'platform'),
      modality: readText(req, 'modality'),
    }
    const page = readPage(req)
    const order = readSort(req)
    const [show, hide] = [
      readColumns(req, 'show').filter((column) => findColumn(column).isExtra),
      readColumns(req, 'hide').filter((column) => !findColumn(column).isExtra),
    ]
    const sort = order && (order.isDown ? `-${order.column}` : order.column)
    const asked: Asked = { filter, show, hide, sort, isAll: readText(req, 'all') !== null }
    const query = buildQuery({
      ...{ q: search || null, vendor: filter.vendor, platform: filter.platform, modality: filter.modality },
      ...{ sort, show: show.join() || null, hide: hide.join() || null, all: asked.isAll && 1 },
    })
    const key = withQuery('/models', buildQuery({ ...Object.fromEntries(query), page: page > 1 && page }))
    return {
      key,
      render: ({ catalogue, ages }) => {
        const exact = searchModels(catalogue, filter)
        const near = exact.length === 0 && search !== '' ? nearModelSearch(catalogue, search) : null
        const all = near === null ? exact : searchModels(catalogue, { ...filter, search: near })
        const priced = asked.isAll ? all : all.filter(({ headline }) => isPriced(headline))
        const found = sortModels(priced.length > 0 ? priced : all, order)
        const pageCount = Math.max(1, Math.ceil(found.length / modelsOnPage))
        const shown = found.slice((page - 1) * modelsOnPage, page * modelsOnPage)
        const isFiltered = query.size > 0
        const withAll = buildQuery({ ...Object.fromEntries(query), all: 1 })
        return createPage({
          title: search
            ? `${search}: prices`
            : page > 1
              ? `Prices of all AI models, page ${page}`
              : 'Prices of all AI models',
          description: `${formatNumber(catalogue.rowCount)} prices of ${formatNumber(catalogue.models.length)} AI models, by model and platform, with rate cards, history and sources.`,
          // What was searched for is nobody else's page.
          ...(!isFiltered && shown.length > 0 && { canonical: key }),
          section: '/models',
          ages,
          feed: buildQuery({}),
          script: searchScript,
          body: html`<h1>${search ? html`Models for “${search}”` : 'Prices of all AI models'}</h1>
            <p class="lead">
              ${formatNumber(catalogue.rowCount)} prices of ${formatNumber(catalogue.models.length)} models.
              In US dollars per million tokens unless stated otherwise. Showing the maker's own price where
              there is one.
            </p>
            ${searchForm(asked, catalogue)}
            <div class="found">
              <p class="soft" role="status" id="found">
                ${near !== null && found.length > 0 && html`Nothing is called “${search}”. Showing results for <a href="${withQuery('/models', buildQuery({ q: near }))}">${near}</a>: `}${formatCount(found.length, 'model')}${isFiltered && html` · <a href="/models">all models</a>`}${found.length < all.length && html` · <a href="${withQuery('/models', withAll)}" rel="nofollow">${formatNumber(all.length - found.length)} without a price</a>`}
              </p>
              <form id="compare" action="/compare" method="get">
                <button class="btn plain" type="submit">Compare ticked</button>
              </form>
            </div>
            <div id="results">
              ${
                shown.length > 0
                  ? html`${modelTable(shown, 'Models with their prices', {
                      columns: columnNames.filter((column) =>
                        findColumn(column).isExtra ? show.includes(column) : !hide.includes(column),
                      ),
                      buildHead: sortLinks(query, order),
                      form: 'compare',
                    })}${pageLinks('/models', query, page, pageCount)}`
                  : nothingFound()
              }
            </div>`,
        })
      },
    }
  })
}

function readSort(req: Request): Sort | null {
  const [, minus, name] = /^(-?)([a-z]+)$/.exec(readText(req, 'sort') ?? '') ?? []
  const column = columnNames.find((known) => known === name)
  return column ? { column, isDown: minus === '-' } : null
}

/** Columns that a parameter names, once or often: `show=limit&show=released`, `hide=maker,cached`. */
function readColumns(req: Request, name: string): ModelColumn[] {
  const texts = [req.query[name]].flat().filter((text) => typeof text === 'string')
  const asked = new Set(texts.slice(0, columnNames.length).flatMap((text) => text.slice(0, 200).split(',')))
  return columnNames.slice(1).filter((column) => asked.has(column))
}

/** What has no value comes last, both ways. */
function sortModels(models: Model[], sort: Sort | null): Model[] {
  if (sort === null) return models
  const { value } = findColumn(sort.column)
  const [known, unknown] = [
    models.filter((model) => value(model) !== null),
    models.filter((model) => value(model) === null),
  ]
  const direction = sort.isDown ? -1 : 1
  known.sort((a, b) => (value(a)! < value(b)! ? -direction : value(a)! > value(b)! ? direction : 0))
  return [...known, ...unknown]
}

/** What is best first: the lowest price, but the largest context and the latest release. */
const downColumns: readonly ModelColumn[] = [
  'platforms',
  'context',
  'limit',
  'released',
  'cutoff',
  'abilities',
]

/** The head of a column: a link that sorts by it, and turns the order when it is pressed again. */
function sortLinks(query: URLSearchParams, sort: Sort | null) {
  return (column: ModelColumn): Html => {
    const isSorted = sort?.column === column
    const isDown = isSorted ? !sort.isDown : downColumns.includes(column)
    const next = new URLSearchParams(query)
    next.set('sort', isDown ? `-${column}` : column)
    const mark = isSorted ? (sort.isDown ? ' ↓' : ' ↑') : ''
    return html`<a
      href="${withQuery('/models', next)}"
      rel="nofollow"
      ${isSorted && html` aria-current="true"`}
      >${modelColumns[column].name}${mark}</a
    >`
  }
}

interface Asked {
  filter: ModelFilter
  show: readonly ModelColumn[]
  hide: readonly ModelColumn[]
  sort: string | null
  /** Also models without a price. */
  isAll: boolean
}

function searchForm({ filter, show, hide, sort, isAll }: Asked, catalogue: Catalogue): Html {
  const { search, vendor, platform, modality } = filter
  const box = (name: 'show' | 'hide', column: ModelColumn, isTicked: boolean) =>
    html`<label
      ><input type="checkbox" name="${name}" value="${column}" ${isTicked && html` checked`} />
      ${modelColumns[column].name}</label
    > `
  const extra = columnNames.filter((column) => findColumn(column).isExtra)
  return html`<form class="search" action="/models" method="get" role="search">
    <label class="field grow"
      ><span>Model <kbd aria-hidden="true">/</kbd></span>
      <input
        type="search"
        name="q"
        value="${search}"
        maxlength="100"
        placeholder="gpt-4o, claude sonnet 4.5"
        autocomplete="off"
        spellcheck="false"
    /></label>
    ${choice('vendor', 'Maker', { any: 'Any', values: largest(catalogue.vendors, vendor), chosen: vendor })}
    ${choice('platform', 'Platform', { any: 'Any', values: largest(catalogue.platforms, platform), chosen: platform })}
    ${choice('modality', 'Kind', { any: 'Any', values: catalogue.modalities, chosen: modality, toWord: nameModality })}
    ${sort !== null && html`<input type="hidden" name="sort" value="${sort}" />`}
    <button class="btn" type="submit">Search</button>
    <details class="same columns" ${(show.length > 0 || hide.length > 0 || isAll) && html` open`}>
      <summary>Columns</summary>
      <fieldset>
        <legend>Show as well</legend>
        ${extra.map((column) => box('show', column, show.includes(column)))}
        <label
          ><input type="checkbox" name="all" value="1" ${isAll && html` checked`} /> Models without a
          price</label
        >
      </fieldset>
      <fieldset>
        <legend>Hide</legend>
        ${usualColumns.slice(1).map((column) => box('hide', column, hide.includes(column)))}
      </fieldset>
    </details>
  </form>`
}

/** The names of the groups with the most members, by name; the chosen one in any case. */
function largest(groups: ReadonlyMap<string, readonly unknown[]>, chosen: string | null): string[] {
  const names = [...groups]
    .sort(([, a], [, b]) => b.length - a.length)
    .slice(0, choicesMax)
    .map(([name]) => name)
  if (chosen !== null && !names.includes(chosen)) names.push(chosen)
  return names.sort((a, b) => a.localeCompare(b, 'en'))
}

function nothingFound(): Html {
  return html`<div class="panel">
    <p><strong>No models found.</strong></p>
    <p class="soft">
      The search covers names, ids, makers and platforms. Try fewer words, or browse
      <a href="/models">all models</a>.
    </p>
  </div>`
}
