import type { RequestHandler } from 'express'
import type { Catalogue } from '../../catalog/catalogue.ts'
import { findNear } from '../../catalog/model-search.ts'
import { html } from './html.ts'
import { sendPage, type CreatePage, type Page } from './layout.ts'
import { buildQuery, withQuery } from './inputs.ts'
import { modelTable } from './model-table.ts'

const shownCharsMax = 200

const nearShown = 3

/**
 * @param kind what it would be: "model"
 * @param catalogue where models with a name like it may be
 */
export function notFoundPage(createPage: CreatePage, kind: string, id: string, catalogue: Catalogue): Page {
  const near = findNear(catalogue, id.slice(0, 100).toWellFormed(), nearShown)
  const search = withQuery('/models', buildQuery({ q: id.slice(0, 100).toWellFormed() }))
  return createPage({
    status: 404,
    title: `No such ${kind}`,
    body: html`<h1>No such ${kind}</h1>
      <p class="lead">
        “${id.slice(0, shownCharsMax)}” is not in our list. Check the spelling; it may also have been retired
        by every source.
      </p>
      ${near.length > 0 && modelTable(near, 'The nearest models')}
      <p><a class="btn" href="${search}">Search for it</a></p>`,
  })
}

/**
 * An HTML page where a person meets a 404: what comes here is no page, no file and nothing of the dashboard. Programs, and
 * whoever asks the API, get JSON.
 */
export function notFoundForPeople(createPage: CreatePage): RequestHandler {
  const page = createPage({
    status: 404,
    title: 'Page not found',
    body: html`<h1>Page not found</h1>
      <p class="lead">Check the address, or search for a model.</p>
      <form class="search" action="/models" method="get" role="search">
        <label class="field grow"
          ><span>Search for a model</span> <input type="search" name="q" maxlength="100"
        /></label>
        <button class="btn" type="submit">Search</button>
      </form>
      <p><a href="/">Home</a> · <a href="/models">All models</a> · <a href="/docs/">API reference</a></p>`,
  })
  return (req, res, next) => {
    const isForPerson =
      ['GET', 'HEAD'].includes(req.method) &&
      !ofTheApi.test(req.path) &&
      (req.headers.accept ?? '').includes('text/html')
    if (!isForPerson) return next()
    return sendPage(res, page)
  }
}

const ofTheApi = /^\/(v1|health)(\/|$)/i
