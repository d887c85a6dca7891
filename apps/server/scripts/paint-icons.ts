import { readFileSync, writeFileSync } from 'node:fs'
import { Painter } from '../src/http/html/pictures/painter.ts'

// Paints the house's sign in the sizes that browsers and phones ask for: `node scripts/paint-icons.ts`, after icon.svg moved.

const folder = new URL('../src/http/html/files/', import.meta.url)
const sign = readFileSync(new URL('icon.svg', folder), 'utf8')
// Phones cut the corners themselves.
const square = sign.replace(' rx="8"', '')
const painter = new Painter()
for (const [sizePx, svg] of [
  [32, sign],
  [180, square],
  [512, square],
] as const) {
  const png = await painter.paint(svg.replace('<svg ', `<svg width="${sizePx}" height="${sizePx}" `))
  writeFileSync(new URL(`icon-${sizePx}.png`, folder), png)
}
process.exit()
