import express, { type Router } from 'express'
import type { HttpOptions } from '../server.ts'
import type { Gate } from '../pipeline/shed.ts'
import { changePage } from './change.ts'
import { contractFiles, referencePages } from './reference.ts'
import { plansPage } from './plans.ts'
import { homePage, stylesheet } from './layout.ts'

/** HTML pages beside the API: public, without a key, not part of the contract. */
export function createPages({ contract, dashboard, publicUrl, plans }: HttpOptions, gate: Gate): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  router.get('/', homePage())
  router.get('/assets/page.css', stylesheet())
  router.get('/plans', plansPage(plans))
  router.get('/changes/:id', changePage(dashboard.services.db, gate))
  router.use(contractFiles(contract, publicUrl))
  router.use('/docs', referencePages())
  return router
}
