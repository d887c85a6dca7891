import { html, type Html } from '../html.ts'
import { markShapes } from '../mark.ts'

// The picture that is shown where somebody posts a link: as SVG, for `picture-thread.ts` to paint.

const pictureWidthPx = 1_200
const pictureHeightPx = 630

export interface Picture {
  /** What it is about, above the title: the maker, or the day of a change. */
  kicker: string
  title: string
  /** At most three: "Input", "$1.25", "per 1M tokens". */
  figures?: readonly { name: string; amount: string; unit: string }[]
  /** A sentence below the title, where there are no figures. */
  text?: string
  note: string
}

const marginPx = 80
/** Of an average letter of Inter, in parts of its size. */
const letterWidth = { bold: 0.55, regular: 0.5, digit: 0.64 }
const linesMax = 3
const titleSizesPx = [88, 72, 60, 56, 50]
const textSizePx = 36
const textLinesMax = 3

export function pictureSvg({ kicker, title, figures = [], text = '', note }: Picture): string {
  const { sizePx, lines } = fit(drawable(title) || 'Ratecard')
  const titleEndPx = 200 + lines.length * sizePx * 1.12
  const textLines = wrap(drawable(text), lineChars(textSizePx, letterWidth.regular), textLinesMax)
  return html`<svg
    xmlns="http://www.w3.org/2000/svg"
    width="${pictureWidthPx}"
    height="${pictureHeightPx}"
    font-family="Inter"
  >
    <rect width="${pictureWidthPx}" height="${pictureHeightPx}" fill="#ffffff" />
    <rect width="${pictureWidthPx}" height="12" fill="#5546e0" />
    ${brand}
    <text x="${marginPx}" y="192" font-size="30" font-weight="600" fill="#5546e0">
      ${cut(drawable(kicker), 62)}
    </text>
    ${lines.map(
      (line, index) =>
        html`<text
          x="${marginPx}"
          y="${200 + (index + 0.95) * sizePx * 1.12}"
          font-size="${sizePx}"
          font-weight="700"
          letter-spacing="-1"
          fill="#101828"
          >${line}</text
        >`,
    )}
    ${figures.slice(0, 3).map(({ name, amount, unit }, index) => figure(name, amount, unit, { index, topPx: Math.max(figureTopPx, titleEndPx + 60) }))}
    ${
      figures.length === 0 &&
      textLines.map(
        (line, index) =>
          html`<text
            x="${marginPx}"
            y="${titleEndPx + 64 + index * textSizePx * 1.35}"
            font-size="${textSizePx}"
            fill="#475467"
            >${line}</text
          >`,
      )
    }
    <text x="${marginPx}" y="${pictureHeightPx - 44}" font-size="26" fill="#667085">
      ${cut(drawable(note), 74)}
    </text>
  </svg>`.text
}

/** The mark and the name. */
const brand = html`<g transform="translate(${marginPx} 64) scale(1.75)">
    ${markShapes}
  </g>
  <text x="${marginPx + 76}" y="105" font-size="38" font-weight="700" fill="#101828">Ratecard</text>`

const figureTopPx = 408
const figureWidthPx = 356

function figure(
  name: string,
  amount: string,
  unit: string,
  { index, topPx }: { index: number; topPx: number },
): Html {
  const x = marginPx + index * figureWidthPx
  const shown = drawable(amount)
  const sizePx = Math.min(
    60,
    Math.floor((figureWidthPx - 30) / (letterWidth.digit * Math.max(1, shown.length))),
  )
  return html`<text x="${x}" y="${topPx}" font-size="26" font-weight="600" fill="#667085">${name}</text>
    <text x="${x}" y="${topPx + 62}" font-size="${sizePx}" font-weight="700" fill="#101828">${shown}</text>
    <text x="${x}" y="${topPx + 100}" font-size="24" fill="#667085">${unit}</text>`
}

/** The largest size at which the title takes the lines that there are. */
function fit(title: string): { sizePx: number; lines: string[] } {
  for (const [index, sizePx] of titleSizesPx.entries()) {
    const lines = wrap(title, lineChars(sizePx, letterWidth.bold), linesMax)
    if (lines.length <= (index < 2 ? 1 : 2) && !lines.at(-1)?.endsWith('…') && !hasOrphan(lines))
      return { sizePx, lines }
  }
  const sizePx = titleSizesPx.at(-1)!
  return { sizePx, lines: wrap(title, lineChars(sizePx, letterWidth.bold), linesMax) }
}

/** A last line of a word or two looks like a mistake. */
function hasOrphan(lines: readonly string[]): boolean {
  return lines.length > 1 && lines.at(-1)!.length < 5
}

/** How many letters have room beside each other. */
function lineChars(sizePx: number, width: number): number {
  return Math.floor((pictureWidthPx - 2 * marginPx) / (width * sizePx))
}

function wrap(text: string, charsMax: number, most: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ').filter(Boolean)) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= charsMax)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(cut(word, charsMax))
  }
  if (lines.length <= most) return lines
  return [...lines.slice(0, most - 1), cut(`${lines[most - 1]!} …`, charsMax)]
}

function cut(text: string, charsMax: number): string {
  return text.length <= charsMax ? text : `${text.slice(0, charsMax - 1).trimEnd()}…`
}

/** What the bundled typeface has: its latin part. The rest would be empty boxes. */
function drawable(text: string): string {
  return text
    .replaceAll('→', '>')
    .replaceAll(/[^\u0020-\u007e\u00a0-\u00ff\u2010-\u2027\u20ac\u2122\u2212]/g, ' ')
    .replaceAll(/ +/g, ' ')
    .trim()
}
