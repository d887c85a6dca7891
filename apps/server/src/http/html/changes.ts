import { capitalize } from '@ratecard/contract/wording'
import type { Request, RequestHandler } from 'express'
import { listChangeFacets } from '../../features/changes/change-facets.ts'
import type { Model } from '../../catalog/catalogue.ts'
import {
  listChanges,
  noNews,
  type ChangeFilter,
  type StoredChange,
} from '../../features/changes/change-store.ts'
import { decodeCursor, encodeCursor } from '../../platform/cursor.ts'
import { html, nothing, type Html } from './html.ts'
import type { Followed } from '../../features/notices/follower-store.ts'
import { buildQuery, readText, withQuery } from './inputs.ts'
import type { CreatePage } from './layout.ts'
import type { PageCache, PageData } from './page-cache.ts'
import { weekPath } from './week.ts'
import { changesByDay } from './change-list.ts'
import { choice } from './parts.ts'

const changesOnPage = 30
/** No model of six lists has more. */
const variantsMax = 19
const cursorCharsMax = 2_048

export interface Asked {
  filter: ChangeFilter
  /** Corrections of records are no news: they are shown where they are asked for. */
  without: readonly string[]
  query: URLSearchParams
}

export function readFilter(req: Request): Asked {
  const [vendor, product, category] = [
    readText(req, 'vendor'),
    readText(req, 'product', 300),
    readText(req, 'category'),
  ]
  const severity = readText(req, 'min_severity')
  const minSeverity = severity !== null && /^[2-5]$/.test(severity) ? Number(severity) : null
  const isAll = readText(req, 'corrections') === '1'
  return {
    query: buildQuery({ vendor, product, category, min_severity: minSeverity, corrections: isAll && 1 }),
    without: isAll || category !== null ? [] : noNews,
    filter: {
      ...(vendor !== null && { vendor }),
      ...(product !== null && { product }),
      ...(category !== null && { category }),
      ...(minSeverity !== null && { min_severity: minSeverity }),
    },
  }
}

/** The changes of a model, with those of its variants; or of what else is asked for. */
export async function listWithVariants(
  { db, catalogue }: PageData,
  filter: ChangeFilter,
  position: Parameters<typeof listChanges>[2],
): ReturnType<typeof listChanges> {
  const model = filter.product === undefined ? undefined : catalogue.products.get(filter.product)
  if (!model) return listChanges(db, filter, position)
  const variants = model.variants.slice(0, variantsMax)
  return listChanges(db, { ...filter, product: model.id }, { ...position, variants })
}

/** Those that are in the chart of a model. */
const changesOfModel = 100

/** The latest changes of a model, incidents included. */
export async function listOfModel(data: PageData, { id }: Model): Promise<readonly StoredChange[]> {
  const filter = { product: id, include_incidents: true }
  return (await listWithVariants(data, filter, { cursor: null, limit: changesOfModel })).rows
}

/** All published changes as summaries, the newest first. */
export function changesPage(pages: PageCache, createPage: CreatePage): RequestHandler {
  return pages.handler((req) => {
    const { filter, query, without } = readFilter(req)
    const after = readText(req, 'after', cursorCharsMax)
    // A position that is none is the beginning.
    const cursor = after === null ? null : decodeCursor(after)
    const address = withQuery('/changes', query)
    return {
      key: withQuery('/changes', buildQuery({ ...Object.fromEntries(query), after: cursor && after })),
      render: async (data) => {
        const { db } = data
        const { rows, next } = await listWithVariants(data, filter, { cursor, limit: changesOnPage, without })
        const facets = await listChangeFacets(db)
        const isFiltered = query.size > 0
        const nextQuery = new URLSearchParams(query)
        if (next) nextQuery.set('after', encodeCursor(next))
        return createPage({
          title: 'AI model price changes',
          description:
            'Price cuts and rises, retirements and new tiers of AI models, each with its evidence.',
          ...(!isFiltered && cursor === null && { canonical: '/changes' }),
          section: '/changes',
          feed: query,
          body: html`<h1>Changes</h1>
            <p class="lead">
              What changed, when, and who says so. <a href="/plans">Paid plans</a> add structured before/after
              data, deadlines, alternatives and webhooks.
            </p>
            ${createPage.follow(followedBy(filter))} ${filterForm(filter, facets, query.has('corrections'))}
            <p class="soft">
              <a href="${weekPath()}">This week</a> · Follow by
              <a href="${withQuery('/changes.atom', query)}">Atom</a>,
              <a href="${withQuery('/changes.json', query)}">JSON Feed</a>,
              <a href="${withQuery('/changes.ics', query)}">calendar</a
              >${isFiltered && html` · <a href="/changes">all changes</a>`}
            </p>
            ${rows.length > 0 ? changesByDay(rows, data.catalogue) : html`<p class="panel">No changes published yet.</p>`}
            <nav class="pages" aria-label="Pages">
              <span>${cursor && html`<a href="${address}">← Newest</a>`}</span>
              <span
                >${next && html`<a rel="next" href="${withQuery('/changes', nextQuery)}">Older →</a>`}</span
              >
            </nav>`,
        })
      },
    }
  })
}

/** What the page shows, as far as it can be followed. */
function followedBy({ vendor, product }: ChangeFilter): Followed {
  if (product !== undefined) return { kind: 'product', name: product }
  return vendor === undefined ? { kind: 'all', name: '' } : { kind: 'vendor', name: vendor }
}

function filterForm(
  { vendor, category, min_severity, product }: ChangeFilter,
  { vendors, categories }: { vendors: string[]; categories: string[] },
  hasCorrections: boolean,
): Html {
  return html`<form class="search" action="/changes" method="get">
    ${choice('vendor', 'Maker', { any: 'Any', values: vendors, chosen: vendor ?? null })}
    ${choice('category', 'Kind', { any: 'Any', values: categories, chosen: category ?? null, toWord: capitalize })}
    ${choice('min_severity', 'Severity', {
      any: 'Any',
      values: ['2', '3', '4', '5'],
      chosen: min_severity === undefined ? null : String(min_severity),
      toWord: (value) => (value === '5' ? '5 of 5' : `${value} or more`),
    })}
    ${product === undefined ? nothing : html`<input type="hidden" name="product" value="${product}" />`}
    <label class="check"
      ><input type="checkbox" name="corrections" value="1" ${hasCorrections && html` checked`} />
      Corrections</label
    >
    <button class="btn" type="submit">Show</button>
  </form>`
}
