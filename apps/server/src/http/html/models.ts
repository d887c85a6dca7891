import { formatCount, formatNumber, nameModality } from '@ratecard/contract/wording'
import type { Request } from 'express'
import { blendedUsd, type Catalogue, type Model } from '../../features/prices/catalogue.ts'
import { nearModelSearch, searchModels, type ModelFilter } from '../../features/prices/model-search.ts'
import { html, type Html } from './html.ts'
import { readPage, buildQuery, readText, withQuery } from './inputs.ts'
import type { CreatePage } from './layout.ts'
import type { PageCache } from './page-cache.ts'
import { choice, modelColumns, modelTable, pageLinks, type ModelColumn } from './parts.ts'

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
    const [vendor, platform, modality] = [
      readText(req, 'vendor'),
      readText(req, 'platform'),
      readText(req, 'modality'),
    ]
    const page = readPage(req)
    const sort = readSort(req)
    const query = buildQuery({
      q: search || null,
      vendor,
      platform,
      modality,
      sort: sort && (sort.isDown ? `-${sort.column}` : sort.column),
    })
    const key = withQuery('/models', buildQuery({ ...Object.fromEntries(query), page: page > 1 && page }))
    return {
      key,
      render: ({ catalogue, ages }) => {
        const filter = { search, vendor, platform, modality }
        const exact = searchModels(catalogue, filter)
        const near = exact.length === 0 && search !== '' ? nearModelSearch(catalogue, search) : null
        const found = sortModels(
          near === null ? exact : searchModels(catalogue, { ...filter, search: near }),
          sort,
        )
        const pageCount = Math.max(1, Math.ceil(found.length / modelsOnPage))
        const shown = found.slice((page - 1) * modelsOnPage, page * modelsOnPage)
        const isFiltered = query.size > 0
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
          body: html`<h1>${search ? html`Models for “${search}”` : 'Prices of all AI models'}</h1>
            <p class="lead">
              ${formatNumber(catalogue.rowCount)} prices of ${formatNumber(catalogue.models.length)} models.
              In US dollars per million tokens unless stated otherwise. Showing the maker's own price where
              there is one.
            </p>
            ${searchForm(filter, catalogue)}
            <p class="soft" role="status">
              ${near !== null && found.length > 0 && html`Nothing is called “${search}”. Showing results for <a href="${withQuery('/models', buildQuery({ q: near }))}">${near}</a>: `}${formatCount(found.length, 'model')}${isFiltered && html` · <a href="/models">all models</a>`}
            </p>
            ${
              shown.length > 0
                ? html`${modelTable(shown, 'Models with their prices', sortLinks(query, sort))}${pageLinks('/models', query, page, pageCount)}`
                : nothingFound()
            }`,
        })
      },
    }
  })
}

function readSort(req: Request): Sort | null {
  const [, minus, column] = /^(-?)([a-z]+)$/.exec(readText(req, 'sort') ?? '') ?? []
  return Object.keys(modelColumns).some((known) => known === column)
    ? { column: column as ModelColumn, isDown: minus === '-' }
    : null
}

const sortValues: Record<ModelColumn, (model: Model) => number | string | null> = {
  model: ({ name }) => name.toLowerCase(),
  input: ({ headline }) => toNumber(headline.input_per_mtok),
  output: ({ headline }) => toNumber(headline.output_per_mtok),
  cached: ({ headline }) => toNumber(headline.cached_input_per_mtok),
  blended: ({ headline }) => blendedUsd(headline),
  platforms: ({ platforms }) => platforms.length,
}

const toNumber = (amount: string | null): number | null => (amount === null ? null : Number(amount))

/** What has no value comes last, both ways. */
function sortModels(models: Model[], sort: Sort | null): Model[] {
  if (sort === null) return models
  const valueOf = sortValues[sort.column]
  const [known, unknown] = [
    models.filter((model) => valueOf(model) !== null),
    models.filter((model) => valueOf(model) === null),
  ]
  const direction = sort.isDown ? -1 : 1
  known.sort((a, b) => (valueOf(a)! < valueOf(b)! ? -direction : valueOf(a)! > valueOf(b)! ? direction : 0))
  return [...known, ...unknown]
}

/** The head of a column: a link that sorts by it, and turns the order when it is pressed again. */
function sortLinks(query: URLSearchParams, sort: Sort | null) {
  return (column: ModelColumn): Html => {
    const isSorted = sort?.column === column
    // Most platforms come first, and the lowest price does.
    const isDown = isSorted ? !sort.isDown : column === 'platforms'
    const next = new URLSearchParams(query)
    next.set('sort', isDown ? `-${column}` : column)
    const mark = isSorted ? (sort.isDown ? ' ↓' : ' ↑') : ''
    return html`<a
      href="${withQuery('/models', next)}"
      rel="nofollow"
      ${isSorted && html` aria-current="true"`}
      >${modelColumns[column]}${mark}</a
    >`
  }
}

function searchForm({ search, vendor, platform, modality }: ModelFilter, catalogue: Catalogue): Html {
  return html`<form class="search" action="/models" method="get" role="search">
    <label class="field grow"
      ><span>Model</span>
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
    ${choice('modality', 'Kind', { any: 'Any', values: catalogue.modalities, chosen: modality, wordOf: nameModality })}
    <button class="btn" type="submit">Search</button>
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
