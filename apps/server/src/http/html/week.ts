import { formatCount } from '@ratecard/contract/wording'
import type { Request } from 'express'
import type { Catalogue } from '../../catalog/catalogue.ts'
import { listChangesOfDays, type StoredChange } from '../../features/changes/change-store.ts'
import { dayMs, toDay } from '../../platform/day.ts'
import { html, nothing, type Html } from './html.ts'
import { buildQuery } from './inputs.ts'
import type { CreatePage } from './layout.ts'
import type { PageCache } from './page-cache.ts'
import { changeList } from './change-list.ts'

// The changes of a week by ISO 8601: `/changes/2026-w47`.

const changesMax = 400
const firstYear = 2020

const groups: readonly (readonly [string, readonly string[]])[] = [
  ['Price cuts', ['price_cut']],
  ['Price rises', ['price_rise']],
  ['New models', ['model_added']],
  ['Retirements', ['deprecation', 'model_removed']],
  ['New tiers and conditions', ['tier_change']],
]

/** The Monday of the week of a day. */
function findMonday(day: string): number {
  const ms = Date.parse(day)
  return ms - ((new Date(ms).getUTCDay() + 6) % 7) * dayMs
}

/** "2026-w47": the year is that of the week's Thursday. */
function nameWeek(mondayMs: number): string {
  const year = new Date(mondayMs + 3 * dayMs).getUTCFullYear()
  const week = Math.round((mondayMs - findMonday(`${year}-01-04`)) / (7 * dayMs)) + 1
  return `${year}-w${String(week).padStart(2, '0')}`
}

/** The week of today. */
export const weekPath = (day = toDay(new Date())): string => `/changes/${nameWeek(findMonday(day))}`

/** Null: there is no such week, or it is still to come. */
function readWeek(name: string, today: string): number | null {
  const [, year, week] = /^(\d{4})-w(\d{2})$/.exec(name) ?? []
  if (year === undefined || Number(year) < firstYear) return null
  const mondayMs = findMonday(`${year}-01-04`) + (Number(week) - 1) * 7 * dayMs
  return nameWeek(mondayMs) === name && mondayMs <= Date.parse(today) ? mondayMs : null
}

/** What moved in a week. No page, where there is no such week. */
export function weekPage(pages: PageCache, createPage: CreatePage) {
  return pages.handler((req: Request) => {
    const today = toDay(new Date())
    const mondayMs = readWeek(String(req.params.id), today)
    if (mondayMs === null) return null
    const [from, to] = [toDay(mondayMs), toDay(mondayMs + 7 * dayMs)]
    const path = weekPath(from)
    return {
      key: path,
      render: async ({ db, ages, catalogue }) => {
        const changes = await listChangesOfDays(db, { from, to, limit: changesMax })
        const isNow = to > today
        const title = `AI model prices ${isNow ? 'this week' : `in the week of ${from}`}`
        return createPage({
          title,
          description: summarize(changes),
          // An empty week is nobody's search.
          ...(changes.length > 0 && { canonical: path }),
          section: '/changes',
          ages,
          feed: buildQuery({}),
          body: html`<p class="crumbs"><a href="/changes">Changes</a> / ${nameWeek(mondayMs)}</p>
            <h1>${title}</h1>
            <p class="lead">
              ${summarize(changes)} ${from} to ${toDay(mondayMs + 6 * dayMs)}, by the day since which each
              holds.
            </p>
            ${renderGroups(changes, catalogue)}
            <nav class="pages" aria-label="Weeks">
              <a rel="prev" href="${weekPath(toDay(mondayMs - 7 * dayMs))}">← The week before</a>
              <span>${!isNow && html`<a rel="next" href="${weekPath(to)}">The week after →</a>`}</span>
            </nav>`,
        })
      },
    }
  })
}

/** "3 price cuts, 1 price rise, 12 new models." */
function summarize(changes: readonly StoredChange[]): string {
  const of = (...categories: string[]) =>
    changes.filter(({ category }) => categories.includes(category)).length
  const counts = [
    [of('price_cut'), 'price cut'],
    [of('price_rise'), 'price rise'],
    [of('model_added'), 'new model'],
    [of('deprecation', 'model_removed'), 'retirement'],
  ] as const
  const told = counts.filter(([count]) => count > 0).map(([count, name]) => formatCount(count, name))
  return told.length === 0 ? 'No prices moved.' : `${told.join(', ')}.`
}

function renderGroups(changes: readonly StoredChange[], catalogue: Catalogue): Html {
  const known = new Set(groups.flatMap(([, categories]) => categories))
  const others = changes.filter(({ category }) => !known.has(category))
  return html`${groups.map(([name, categories]) => {
    const ofGroup = changes.filter(({ category }) => categories.includes(category))
    return ofGroup.length === 0
      ? nothing
      : html`<h2>${name}</h2>
          ${changeList(ofGroup, catalogue)}`
  })}${
    others.length > 0 &&
    html`<details>
      <summary>${formatCount(others.length, 'correction')} of records</summary>
      ${changeList(others, catalogue)}
    </details>`
  }`
}
