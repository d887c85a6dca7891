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

// The latin part of Inter with all its weights: 48 KB, asked for after the page is there. Until it comes, a typeface
// of the same widths stands in, so nothing moves.
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
export const iconFile = hashedFile('icon.svg', 'image/svg+xml', ownFile('icon.svg'))

/** Of every page. */
export const siteScript = script('site.js', ownFile('site.js').toString())

const files = [
  fontFile,
  decimalFile,
  scriptFile,
  searchScript,
  siteScript,
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
  for (const [path, type, content] of knownFiles) {
    const file = new SharedFile(type, content)
    router.get(path, (_req, res) => {
      res.setHeader('Cache-Control', 'public, max-age=86400')
      return file.send(res)
    })
  }
  return router
}

/** The sign as programs know it that do not draw SVG: `scripts/paint-icons.ts` paints them. */
const knownFiles: readonly (readonly [path: string, type: string, content: Buffer | string])[] = [
  ['/favicon.ico', 'image/vnd.microsoft.icon', toIco(ownFile('icon-32.png'), 32)],
  ['/icon.svg', 'image/svg+xml', ownFile('icon.svg')],
  ['/apple-touch-icon.png', 'image/png', ownFile('icon-180.png')],
  ['/icon-512.png', 'image/png', ownFile('icon-512.png')],
  [
    '/site.webmanifest',
    'application/manifest+json',
    JSON.stringify({
      name: 'Ratecard',
      start_url: '/dashboard/',
      display: 'minimal-ui',
      icons: [
        { src: iconFile.path, type: 'image/svg+xml', sizes: 'any' },
        { src: '/icon-512.png', type: 'image/png', sizes: '512x512' },
      ],
    }),
  ],
]

/** A PNG in the frame that browsers expect under the name favicon.ico: a head, and one entry. */
function toIco(png: Buffer, sizePx: number): Buffer {
  const head = Buffer.alloc(22)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(sizePx, 6)
  head.writeUInt8(sizePx, 7)
  head.writeUInt16LE(1, 10)
  head.writeUInt16LE(32, 12)
  head.writeUInt32LE(png.length, 14)
  head.writeUInt32LE(head.length, 18)
  return Buffer.concat([head, png])
}
