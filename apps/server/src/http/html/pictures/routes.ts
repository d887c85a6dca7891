import {
  capitalize,
  formatAmount,
  formatAmountUnit,
  formatCount,
  formatNumber,
  nameAmount,
  nameModality,
} from '@ratecard/contract/wording'
import { createHash } from 'node:crypto'
import express, { type Response, type Router } from 'express'
import { findChange, type StoredChange } from '../../../features/changes/change-store.ts'
import { findPlatform, type Catalogue, type Model } from '../../../catalog/catalogue.ts'
import { companyName } from '@ratecard/contract/model-name'
import { amountColumns } from '../../../catalog/price-record.ts'
import { makingOfPictures } from '../../limits/index.ts'
import { asApiError } from '../../pipeline/answer-error.ts'
import { ApiError } from '../../pipeline/errors.ts'
import { SharedFile } from '../../pipeline/shared-file.ts'
import type { Gate } from '../../pipeline/shed.ts'
import { pictureFile } from '../assets.ts'
import { sendPage, type Page } from '../layout.ts'
import { PageCache, type PageData, type PageRequest } from '../page-cache.ts'
import type { PageSource } from '../page-source.ts'
import { changePath, isStated, platformPath, productPath, sinceWords, vendorPath } from '../words.ts'
import { Painter } from './painter.ts'
import { pictureSvg, type Picture } from './picture.ts'

// A picture for the link to each page: painted when it is asked for, and kept as a page is. Crawlers of them cost a
// tenth of a core at most, and memory of their own.

/** Nothing in it grows old while no list moves. */
const pictureMsMax = 86_400_000

/** The pictures of all pages: the address of a page below `/pictures`, with `.png`. */
export function pictureRoutes(source: PageSource, gate: Gate): Router {
  const pages = new PageCache(source, gate, makingOfPictures)
  const painter = new Painter()
  const router = express.Router({ caseSensitive: true, strict: true })
  const paint = async (picture: Picture): Promise<Page> => pngPage(await painter.paint(pictureSvg(picture)))
  const answer = async (res: Response, path: string, draw: Draw) => {
    const request: PageRequest = {
      key: `/pictures${path}`,
      msMax: pictureMsMax,
      render: async (data) => paint(await draw(data)),
    }
    const page = await pages.find(request, res).catch((error: unknown) => {
      if (asApiError(error).code === 'not_found') throw error
      return null
    })
    if (page) return sendPage(res, page)
    // A link without its own picture has that of the house, and asks again later.
    res.setHeader('Cache-Control', 'no-store')
    res.redirect(302, pictureFile.path)
  }
  router.get('/pictures/home.png', (_req, res) => answer(res, '/', ({ catalogue }) => homePicture(catalogue)))
  router.get('/pictures/models/:vendor/:model.png', (req, res) => {
    const { vendor, model } = req.params
    const id = vendor === '-' ? model : `${vendor}/${model}`
    return answer(res, productPath(id), ({ catalogue }) => modelPicture(found(catalogue.products.get(id))))
  })
  router.get(/^\/pictures(\/compare\/.+-vs-.+)\.png$/, (req, res) => {
    const path = decodeURI(req.params[0]!)
    return answer(res, path, ({ catalogue }) => {
      const pair = path
        .slice('/compare/'.length)
        .split('-vs-')
        .map((id) => found(catalogue.products.get(id)))
      return pairPicture(pair)
    })
  })
  router.get('/pictures/vendors/:vendor.png', (req, res) => {
    const { vendor } = req.params
    return answer(res, vendorPath(vendor), ({ catalogue }) => {
      const models = found(catalogue.vendors.get(vendor))
      return listPicture(companyName(vendor), `All prices of ${formatCount(models.length, 'model')}`, models)
    })
  })
  router.get('/pictures/platforms/:platform.png', (req, res) => {
    const { platform } = req.params
    return answer(res, platformPath(platform), ({ catalogue }) => {
      const sold = found(catalogue.platforms.get(platform))
      const models = sold.map(({ model }) => model)
      return listPicture(
        companyName(platform),
        `${formatCount(sold.length, 'price')} on this platform`,
        models,
      )
    })
  })
  router.get('/pictures/changes/:id.png', (req, res) => {
    const { id } = req.params
    return answer(res, changePath(id), async ({ db }) =>
      changePicture(found(id.includes('\0') ? undefined : await findChange(db, id))),
    )
  })
  return router
}

type Draw = (data: PageData) => Picture | Promise<Picture>

/** @throws ApiError (404) when there is none */
function found<T>(value: T | undefined): T {
  if (value === undefined) throw new ApiError('not_found')
  return value
}

function homePicture({ models, rowCount, platforms }: Catalogue): Picture {
  return {
    kicker: 'Rate cards, history and alerts, from several sources',
    title: 'AI model prices you can build on',
    figures: [
      { name: 'Models', amount: formatNumber(models.length), unit: 'from every maker' },
      { name: 'Prices', amount: formatNumber(rowCount), unit: 'each with its sources' },
      { name: 'Platforms', amount: formatNumber(platforms.size), unit: 'side by side' },
    ],
    note: 'Public pages, an API, and signed webhooks',
  }
}

function modelPicture({ name, vendor, modality, headline, platforms }: Model): Picture {
  const columns = amountColumns.filter((column) => headline[column] !== null)
  return {
    kicker: [...(isStated(vendor) ? [companyName(vendor)] : []), nameModality(modality)].join(' · '),
    title: name,
    figures: columns.map((column) => ({
      name: nameAmount(column),
      amount: formatAmount(headline[column], headline.currency),
      unit: formatAmountUnit(column),
    })),
    text: 'No source states a price yet.',
    note: `${companyName(findPlatform(headline))}, standard price · ${formatCount(platforms.length, 'platform')} · ${sinceWords[headline.since_by]} ${headline.since.slice(0, 10)}`,
  }
}

function pairPicture(pair: readonly Model[]): Picture {
  return {
    kicker: 'Prices compared',
    title: pair.map(({ name }) => name).join(' vs '),
    figures: pair.map(({ name, headline }) => ({
      name,
      amount: `${formatAmount(headline.input_per_mtok, headline.currency)} / ${formatAmount(headline.output_per_mtok, headline.currency)}`,
      unit: 'input / output, per 1M tokens',
    })),
    note: 'Rate cards and price history side by side',
  }
}

function listPicture(name: string, about: string, models: readonly Model[]): Picture {
  const shown = models.slice(0, 6).map((model) => model.name)
  const more = models.length - shown.length
  return {
    kicker: about,
    title: name,
    text: `${shown.join(', ')}${more > 0 ? `, and ${formatNumber(more)} more` : ''}`,
    note: 'Input, output and cached input, with rate cards, history and sources',
  }
}

function changePicture({ title, summary, category, created_at }: StoredChange): Picture {
  return {
    kicker: `${capitalize(category)} · published ${created_at.slice(0, 10)}`,
    title,
    text: summary,
    note: 'AI model price changes, each with its evidence',
  }
}

function pngPage(png: Buffer): Page {
  const etag = `W/"${createHash('sha256').update(png).digest('base64url').slice(0, 20)}"`
  return { status: 200, file: new SharedFile('image/png', png), etag, bytes: png.length + 1_024 }
}
