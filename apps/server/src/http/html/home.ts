import { formatCount, formatNumber } from '@ratecard/contract/wording'
import type { RequestHandler } from 'express'
import { listChanges, noNews, type StoredChange } from '../../features/changes/change-store.ts'
import type { Catalogue, Model } from '../../catalog/catalogue.ts'
import { asApiError } from '../pipeline/answer-error.ts'
import { searchScript } from './assets.ts'
import { html, nothing, type Html } from './html.ts'
import { buildQuery, withQuery } from './inputs.ts'
import { sendPage, type CreatePage, type Page } from './layout.ts'
import type { PageCache, PageData } from './page-cache.ts'
import { addressPicture } from './pictures/address.ts'
import { weekPath } from './week.ts'
import { changesByDay } from './change-list.ts'
import { modelTable } from './model-table.ts'

const modelsShown = 10
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
          render: async ({ db, catalogue, ages }) => {
            const { rows } = await listChanges(
              db,
              { min_severity: 2 },
              { cursor: null, limit: changesShown, without: [...noNews, 'tier_change'] },
            )
            return renderHome(createPage, { catalogue, ages }, rows)
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
  data: Pick<PageData, 'catalogue' | 'ages'> | null,
  changes: readonly StoredChange[],
): Page {
  const { catalogue = null, ages = null } = data ?? {}
  const models = [...(catalogue?.vendors.values() ?? [])].slice(0, modelsShown).map(([first]) => first!)
  return createPage({
    title: 'AI model prices you can build on',
    description:
      'What every AI model costs on every platform: whole rate cards, history, announced changes and who says so, as pages, an API and signed alerts.',
    canonical: '/',
    jsonLd: {
      '@context': 'https://schema.org',
      '@type': 'WebSite',
      name: 'Ratecard',
      url: `${createPage.publicUrl}/`,
      potentialAction: {
        '@type': 'SearchAction',
        target: `${createPage.publicUrl}/models?q={search_term_string}`,
        'query-input': 'required name=search_term_string',
      },
    },
    ...(ages && { ages }),
    feed: buildQuery({}),
    script: searchScript,
    ...(catalogue && {
      picture: addressPicture(
        '/',
        String(catalogue.models.length),
        'Ratecard: AI model prices you can build on',
      ),
    }),
    body: html`<section class="hero">
        <h1>AI model prices you can build on</h1>
        <p class="lead">
          What every model costs on every platform, with full rate cards, history and sources, and alerts
          before the bill arrives.
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
                ${changesByDay(changes, catalogue, () => 'Latest changes')}
                <p><a href="${weekPath()}">This week</a> · <a href="/changes">All changes</a></p>
              </section>`
            : nothing
        }
        <section>
          <h2>Three lines of code</h2>
          <pre tabindex="0"><code>import { Ratecard } from '@ratecard/sdk'
const { prices } = new Ratecard()
for await (const price of prices.list()) console.log(price)</code></pre>
          <p class="soft">
            Exact decimals, no fake zeros, and the date every price took effect. The
            <a href="/docs/">API reference</a> is tested against this server.
          </p>
          <p>
            <a class="btn" href="/dashboard/sign-up">Get a free key</a>
            <a class="btn plain" href="/plans">Plans</a>
          </p>
          <h2>Where the data comes from</h2>
          <p class="soft">
            ${ages?.sources === 1 ? 'One public price list so far.' : `${ages?.sources ? formatCount(ages.sources, 'public price list') : 'Public price lists'}, compared with each other.`}
            A big move reported by one source is held until a second confirms it.
            <a href="/status">Data status</a> shows how old each list is, and each model's page who says what.
          </p>
        </section>
      </div>`,
  })
}

function renderPrices(models: readonly Model[], catalogue: Catalogue): Html {
  return html`<h2>Prices now</h2>
    <p class="soft">A current model from each of the largest makers, in US dollars per million tokens.</p>
    ${modelTable(models, 'Prices now')}
    <p>
      <a href="/models">All ${formatNumber(catalogue.models.length)} models</a> ·
      <a href="/compare">Compare models</a>
    </p>`
}
