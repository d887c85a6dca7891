import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import express, { type Router } from 'express'
import { SharedFile } from '../pipeline/shared-file.ts'

/** A file whose address changes with its content. */
export interface HashedFile {
  path: string
  file: SharedFile
}

function hashedFile(name: string, type: string, content: Buffer | string): HashedFile {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 10)
  return { path: `/assets/${name.replace(/(?=\.\w+$)/, `.${hash}`)}`, file: new SharedFile(type, content) }
}

// The latin part of Inter with all its weights: 48 KB, asked for after the page is there. A page is drawn without it
// when it does not come at once, and never redrawn.
const { resolve } = createRequire(import.meta.url)
const font = resolve('@fontsource-variable/inter/files/inter-latin-wght-normal.woff2')
export const fontFile = hashedFile('inter.woff2', 'font/woff2', readFileSync(font))

const folder = new URL('files/', import.meta.url)
const ownFile = (name: string) => readFileSync(fileURLToPath(new URL(name, folder)))
const script = (name: string, content: string) => hashedFile(name, 'text/javascript; charset=utf-8', content)
// Modules are imported by their hashed addresses.
const decimalFile = script('decimal.js', readFileSync(resolve('@ratecard/contract/decimal'), 'utf8'))
export const scriptFile = script(
  'page.js',
  ownFile('page.js').toString().replace('/assets/decimal.js', decimalFile.path),
)
/** Search as one types, and what is ticked to compare. */
export const searchScript = script('search.js', ownFile('search.js').toString())
/** Of the API reference. */
export const referenceScript = script('reference.js', ownFile('reference.js').toString())
export const referenceStyle = hashedFile('reference.css', 'text/css; charset=utf-8', ownFile('reference.css'))
/** The one picture for links to any page: 1,200 by 630. */
export const pictureFile = hashedFile('ratecard.png', 'image/png', ownFile('ratecard.png'))
const iconText = ownFile('icon.svg')
export const iconFile = hashedFile('icon.svg', 'image/svg+xml', iconText)

const files = [
  fontFile,
  decimalFile,
  scriptFile,
  searchScript,
  referenceScript,
  referenceStyle,
  pictureFile,
  iconFile,
]

/** The files that pages name. */
export function pageFiles(): Router {
  const router = express.Router({ caseSensitive: true, strict: true })
  for (const { path, file } of files) {
    router.get(path, (_req, res) => {
      res.setHeader('Cache-Control', 'public, max-age=31536000, immutable')
      return file.send(res)
    })
  }
  // Browsers and programs ask for it by this name, whatever a page says.
  const icon = new SharedFile('image/svg+xml', iconText)
  router.get('/favicon.ico', (_req, res) => {
    res.setHeader('Cache-Control', 'public, max-age=86400')
    return icon.send(res)
  })
  return router
}
