import express, { type Request, type Router } from 'express'
import { createUnsubscribeTokens } from '../../features/notices/unsubscribe-token.ts'
import type { HttpOptions } from '../server.ts'
import { exportFiles } from '../files/export-files.ts'
import { atPace } from '../pipeline/pace.ts'
import type { Gate } from '../pipeline/shed.ts'
import { pageFiles } from './assets.ts'
import { badge } from './badge.ts'
import { calculatorPage } from './calculator-page.ts'
import { changePage } from './change.ts'
import { changesPage } from './changes.ts'
import { comparePage, pairPage } from './compare.ts'
import { dataPage } from './data.ts'
import { changesCalendar, changesFeed } from './feeds.ts'
import { askToFollow, confirmFollowing, confirmFollowPage } from './follow.ts'
import { homePage } from './home.ts'
import { pageCreator } from './layout.ts'
import { platformPage, vendorPage } from './lists.ts'
import { llms, robots, securityTxt, sitemap, sitemapPart } from './machine-files.ts'
import { modelsPage } from './models.ts'
import { PageCache } from './page-cache.ts'
import { findNetwork } from '../../platform/network.ts'
import { paceOfPages } from '../limits/index.ts'
import { pictureRoutes } from './pictures/routes.ts'
import { plansPage } from './plans.ts'
import { reportPrice } from './price-report.ts'
import { guessedPage, productPage, recordPage } from './product.ts'
import { contractFiles, referencePages } from './reference/index.ts'
import { statusPage } from './status.ts'
import { truthFile, truthPage } from './truth.ts'
import { weekPage } from './week.ts'
import { payTest, testCheckout } from './test-checkout.ts'
import { endMails, endMailsPage } from './unsubscribe.ts'

/** Addresses that people guess, and what they mean. */
const guessed = {
  '/vendors': '/models',
  '/platforms': '/models',
  '/prices': '/models',
  '/pricing': '/plans',
  '/download': '/data',
  '/rss': '/changes.atom',
  '/feed': '/changes.atom',
}
const endsInSlash =
  /^\/(models|vendors|platforms|prices|calculator|compare|changes|plans|status|truth)(\/[^/]+){0,2}\/+$/

const notOfPages = /^\/(v1|health|dashboard)(\/|$)/i

/** HTML pages beside the API: public, without a key, not part of the contract. */
export function createPages(
  { contract, config, dashboard, pageSource: source, publicUrl, services }: HttpOptions,
  gate: Gate,
): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  const pages = new PageCache(source, gate)
  const createPage = pageCreator(publicUrl, { ...config, canMail: dashboard.services.canMail })
  const { provider } = dashboard.services.billing
  router.use((req, _res, next) => next(notOfPages.test(req.path) ? 'router' : undefined))
  router.use(exportFiles(dashboard.services.db, gate))
  router.use(
    atPace(paceOfPages.network, ({ ip = '' }) => findNetwork(ip)),
    atPace(paceOfPages.all, () => 'all'),
  )
  for (const [from, to] of Object.entries(guessed)) {
    // A program that forgets "/v1" is told so by the 404.
    const isMeant = (req: Request) => to.endsWith('.atom') || (req.headers.accept ?? '').includes('text/html')
    router.get(from, (req, res, next) => (isMeant(req) ? res.redirect(301, to) : next()))
  }
  router.get(endsInSlash, (req, res) => res.redirect(301, req.originalUrl.replace(/\/+(?=$|\?)/, '')))
  router.get('/', homePage(pages, createPage))
  router.get('/models', modelsPage(pages, createPage))
  router.get('/models/:name', guessedPage(pages, createPage))
  router.get('/models/:vendor/:model', productPage(pages, createPage))
  router.get('/prices/:id', recordPage(pages, createPage))
  router.get('/vendors/:vendor', vendorPage(pages, createPage))
  router.get('/platforms/:platform', platformPage(pages, createPage))
  router.get('/calculator', calculatorPage(pages, createPage))
  router.get('/compare', comparePage(pages, createPage))
  router.get(/^\/compare\/.+-vs-.+$/, pairPage(pages, createPage))
  router.get('/changes', changesPage(pages, createPage))
  router.get('/changes.atom', changesFeed(pages, publicUrl, 'atom'))
  router.get('/changes.json', changesFeed(pages, publicUrl, 'json'))
  router.get('/changes.ics', changesCalendar(pages, publicUrl))
  router.get('/changes/:id', weekPage(pages, createPage))
  router.get('/changes/:id', changePage(pages, createPage))
  router.get('/data', dataPage(pages, createPage))
  router.get('/plans', plansPage(createPage, { contact: config.CONTACT, isSold: provider !== null }))
  router.get('/status', statusPage(pages, createPage))
  router.get('/badge/:vendor/:model.svg', badge(pages))
  router.get('/truth', truthPage(pages, createPage))
  router.get('/truth.json', truthFile(pages))
  router.get('/sitemap.xml', sitemap(pages, publicUrl))
  router.get('/sitemap-:part.xml', sitemapPart(pages, publicUrl))
  if (config.CONTACT !== undefined)
    router.get('/.well-known/security.txt', securityTxt(publicUrl, config.CONTACT))
  router.get('/robots.txt', robots(publicUrl))
  router.get('/llms.txt', llms(publicUrl))
  const tokens = createUnsubscribeTokens(services.secrets)
  router.get('/unsubscribe/:token', endMailsPage(tokens, createPage))
  router.post('/unsubscribe/:token', endMails(dashboard.services.db, tokens, createPage))
  const readCatalogue = async () => source.readCatalogue((await source.readVersions()).prices)
  const forms = { gate, readCatalogue, createPage }
  router.post('/follow', askToFollow({ services: dashboard.services, ...forms }))
  router.post('/report', reportPrice({ db: dashboard.services.db, ...forms }))
  router.get('/follow/:token', confirmFollowPage(dashboard.services.db, createPage))
  router.post('/follow/:token', confirmFollowing(dashboard.services.db, createPage))
  if (provider?.name === 'test')
    router
      .route('/test-checkout/:event')
      .get(testCheckout(createPage, provider))
      .post(payTest(dashboard.services.db, createPage, provider))
  router.use(pictureRoutes(source, gate))
  router.use(pageFiles())
  router.use(contractFiles(contract, publicUrl))
  router.use(referencePages(contract, publicUrl, createPage))
  return router
}
