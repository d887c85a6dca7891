import { formatNumber } from '@ratecard/contract/wording'
import type { RequestHandler } from 'express'
import { listChanges, type StoredChange } from '../../features/changes/change-store.ts'
import type { Catalogue, Model } from '../../features/prices/catalogue.ts'
import { asApiError } from '../pipeline/answer-error.ts'
import { html, nothing, type Html } from './html.ts'
import { buildQuery, withQuery } from './inputs.ts'
import { sendPage, type CreatePage, type Page } from './layout.ts'
import type { PageCache } from './page-cache.ts'
import { addressPicture } from './pictures/address.ts'
import { changeList, modelTable } from './parts.ts'

const modelsShown = 10
const ofOneMakerMax = 1
const changesShown = 6
const examples = ['gpt-4o', 'claude sonnet 4.5', 'gemini 2.5 pro', 'deepseek chat']

/** What it is, and one living example. Without a database the same without figures. */
export function homePage(pages: PageCache, createPage: CreatePage): RequestHandler {
  const withoutPrices = renderHome(createPage, null, [])
  return async (_req, res) => {
    const page = await pages
      .find(
        {
          key: '/',
          render: async ({ db, catalogue }) => {
            const { rows } = await listChanges(db, { min_severity: 2 }, { cursor: null, limit: changesShown })
            return renderHome(createPage, catalogue, rows)
          },
        },
        res,
      )
      .catch((error: unknown) => {
        if (asApiError(error).code === 'service_unavailable') return withoutPrices
        throw error
      })
    await sendPage(res, page)
  }
}

function renderHome(
  createPage: CreatePage,
  catalogue: Catalogue | null,
  changes: readonly StoredChange[],
): Page {
  const models = catalogue ? wellKnown(catalogue) : []
  return createPage({
    title: 'AI-model prices you can build on',
    description:
      'What every AI model costs on every platform: whole rate cards, history, announced changes and who says so, as pages, an API and signed alerts.',
    canonical: '/',
    ...(catalogue && {
      picture: addressPicture(
        '/',
        String(catalogue.models.length),
        'Ratecard: AI-model prices you can build on',
      ),
    }),
    body: html`<section class="hero">
        <h1>AI-model prices you can build on</h1>
        <p class="lead">
          What every model costs on every platform, checked against several sources, with whole rate cards,
          history, and alerts before your bill tells you.
        </p>
        <form class="search" action="/models" method="get" role="search">
          <label class="field grow"
            ><span class="vh">Search for a model</span>
            <input
              type="search"
              name="q"
              maxlength="100"
              placeholder="Search ${catalogue ? `${formatNumber(catalogue.models.length)} models` : 'for a model'}: gpt-4o, claude sonnet 4.5"
              autocomplete="off"
              spellcheck="false"
          /></label>
          <button class="btn" type="submit">Search</button>
        </form>
        <p class="meta">
          Try
          ${examples.map((name) => html`<a href="${withQuery('/models', buildQuery({ q: name }))}">${name}</a> `)}
        </p>
      </section>
      ${models.length > 0 ? renderPrices(models, catalogue!) : nothing}
      <div class="split">
        ${
          changes.length > 0
            ? html`<section>
                <h2>What moved</h2>
                ${changeList(changes)}
                <p><a href="/changes">All changes</a></p>
              </section>`
            : nothing
        }
        <section>
          <h2>Three lines of code</h2>
          <pre tabindex="0"><code>import { Ratecard } from '@ratecard/sdk'
const { prices } = new Ratecard()
for await (const price of prices.list()) console.log(price)</code></pre>
          <p class="soft">
            Exact decimals, unknown is never 0, and each price with the moment since which it holds. The
            <a href="/docs/">reference</a> is the contract that this server is held to.
          </p>
          <p>
            <a class="btn" href="/dashboard/sign-up">Get a free key</a>
            <a class="btn plain" href="/plans">Plans</a>
          </p>
          <h2>Where it comes from</h2>
          <p class="soft">
            Several public lists, read every few hours. A price that one list alone moves far waits; two that
            agree are believed. <a href="/status">The status of the data</a> says how old each list is, and
            the page of each model who says what.
          </p>
        </section>
      </div>`,
  })
}

function renderPrices(models: readonly Model[], catalogue: Catalogue): Html {
  return html`<h2>Prices now</h2>
    <p class="soft">US dollars per million tokens: of each maker the model that most platforms sell.</p>
    ${modelTable(models, 'Prices now')}
    <p>
      <a href="/models">All ${formatNumber(catalogue.models.length)} models</a> ·
      <a href="/compare">Compare models</a>
    </p>`
}

/** The model of each maker that most platforms sell. */
function wellKnown({ models }: Catalogue): Model[] {
  const byMaker = new Map<string, number>()
  return models
    .filter(({ vendor, isProduct, modality, headline }) => {
      const shown = byMaker.get(vendor) ?? 0
      if (!isProduct || modality !== 'llm' || !headline.is_confirmed || shown >= ofOneMakerMax) return false
      byMaker.set(vendor, shown + 1)
      return true
    })
    .slice(0, modelsShown)
}
