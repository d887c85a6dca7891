import type { Catalogue } from '../../catalog/catalogue.ts'
import { findModel } from '../../catalog/model-search.ts'
import type { Rate } from '../../catalog/rate-card.ts'
import { readRateCards } from '../../catalog/rate-cards.ts'
import { scriptFile } from './assets.ts'
import { calculator, isPricedByToken, modelField, readUse, useQuery, usualUse } from './calculator.ts'
import { listAskedFor } from './compare.ts'
import { html, nothing, type Html } from './html.ts'
import { buildQuery, readText, withQuery } from './inputs.ts'
import type { CreatePage } from './layout.ts'
import type { PageCache } from './page-cache.ts'
import { modelPath } from './words.ts'

const idCharsMax = 200
/** No product of six lists has more. */
const recordsMax = 150

/** `/calculator?model=gpt-4o&in=100&out=20`: what a month's use of a model costs on each platform. */
export function calculatorPage(pages: PageCache, createPage: CreatePage) {
  return pages.handler((req) => {
    const asked = readText(req, 'model', idCharsMax)
    const use = readUse(req)
    const query = buildQuery({ model: asked, ...Object.fromEntries(useQuery(use)) })
    return {
      key: withQuery('/calculator', query),
      render: async ({ db, catalogue, ages }) => {
        const model = asked === null ? null : findModel(catalogue, asked)
        const rows = model?.rows.slice(0, recordsMax) ?? []
        const isPriced = isPricedByToken(rows)
        const ids = rows.map(({ resource_id }) => resource_id)
        const cards = isPriced ? await readRateCards(db, ids) : new Map<string, Rate[]>()
        return createPage({
          title: model ? `Cost calculator: ${model.name}` : 'Cost calculator for AI models',
          description:
            'What a month of input, output and cached tokens costs, on every platform that sells the model.',
          // The page of the model has the same calculator.
          ...(model?.isProduct && { canonical: modelPath(model) }),
          ...(query.size === 0 && { canonical: '/calculator' }),
          section: '/models',
          ages,
          ...(isPriced && { script: scriptFile }),
          body: html`<p class="crumbs"><a href="/models">Models</a> / Calculator</p>
            <h1>${model ? `What ${model.name} costs a month` : 'Cost calculator'}</h1>
            <p class="lead">
              ${
                model
                  ? html`On every platform, the cheapest first.
                      <a href="${modelPath(model)}">All about ${model.name}</a>`
                  : 'What your use of a model costs on every platform that sells it.'
              }
            </p>
            ${isPriced && asked !== null ? calculator(rows, cards, use ?? usualUse, { path: '/calculator', model: asked }) : modelForm(asked)}
            ${asked !== null && !isPriced && noCost(asked, model)} ${model === null && popular(catalogue)}`,
        })
      },
    }
  })
}

function popular(catalogue: Catalogue): Html {
  const models = listAskedFor(catalogue)
  if (models.length === 0) return nothing
  return html`<h2>Start with a model</h2>
    <ul class="list side">
      ${models.map(({ id, name }) => html`<li><a href="${withQuery('/calculator', buildQuery({ model: id }))}" rel="nofollow">${name}</a></li>`)}
    </ul>`
}

function modelForm(asked: string | null): Html {
  return html`<form class="search" action="/calculator" method="get">
    ${modelField(asked ?? '')}
    <button class="btn" type="submit">Calculate</button>
  </form>`
}

function noCost(asked: string, model: { name: string } | null): Html {
  return html`<p class="panel" role="status">
    ${model ? `${model.name} is not priced by the token.` : html`Not found: ${asked}. <a href="/models">Search for the name</a>, then use its id.`}
  </p>`
}
