import type { RequestHandler } from 'express'
import { companyName, modelName } from '@ratecard/contract/model-name'
import {
  atomEntry,
  atomFeedEnd,
  atomFeedStart,
  jsonFeed,
  type FeedScope,
} from '../../features/changes/atom.ts'
import type { ChangeFilter } from '../../features/changes/change-store.ts'
import { calendar, listDates } from '../../catalog/calendar.ts'
import { toDay } from '../../platform/day.ts'
import { listWithVariants, readFilter } from './changes.ts'
import { withQuery } from './inputs.ts'
import { buildPage } from './layout.ts'
import type { PageCache } from './page-cache.ts'

const changesInFeed = 50

const types = {
  atom: 'application/atom+xml; charset=utf-8',
  json: 'application/feed+json; charset=utf-8',
}

/** The newest changes for programs that read feeds, with the filters of the page. */
export function changesFeed(pages: PageCache, publicUrl: string, form: keyof typeof types): RequestHandler {
  return pages.handler((req) => {
    const { filter, query, without } = readFilter(req)
    return {
      key: withQuery(`/changes.${form}`, query),
      render: async (data) => {
        const { rows } = await listWithVariants(data, filter, { cursor: null, limit: changesInFeed, without })
        const scope = { title: nameScope(filter), search: withQuery('', query) }
        return buildPage(
          types[form],
          form === 'atom' ? atomText(rows, publicUrl, scope) : jsonFeed(rows, publicUrl, scope),
        )
      },
    }
  })
}

function atomText(rows: Parameters<typeof jsonFeed>[0], publicUrl: string, scope: FeedScope): string {
  const entries = rows.map((change) => atomEntry(change, publicUrl))
  return atomFeedStart(publicUrl, rows[0]?.updated_at, scope) + entries.join('') + atomFeedEnd
}

/** Announced prices and retirements of all models, of a maker or of one model, as a calendar. */
export function changesCalendar(pages: PageCache, publicUrl: string): RequestHandler {
  return pages.handler((req) => {
    const { filter, query } = readFilter(req)
    return {
      key: withQuery('/changes.ics', query),
      render: ({ catalogue }) => {
        const { product, vendor } = filter
        const models =
          product !== undefined
            ? [catalogue.products.get(product) ?? []].flat()
            : vendor === undefined
              ? catalogue.models
              : (catalogue.vendors.get(vendor) ?? [])
        const dates = listDates(models, toDay(new Date()))
        return buildPage('text/calendar; charset=utf-8', calendar(dates, publicUrl, nameScope(filter)))
      },
    }
  })
}

function nameScope({ product, vendor }: ChangeFilter): string {
  if (product !== undefined) return `Ratecard: price changes of ${modelName(product)}`
  return vendor === undefined
    ? 'Ratecard: AI model price changes'
    : `Ratecard: price changes of ${companyName(vendor)}`
}
