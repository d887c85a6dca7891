import { shown } from './figures.ts'

export interface Chart {
  title: string
  note: string
  /** What the bars of each group stand for, in their order. */
  series: readonly string[]
  groups: readonly { name: string; values: readonly number[] }[]
}

const width = 760
const nameWidth = 210
const valueWidth = 80
const barHeight = 16
const groupGap = 16
const top = 84
const barsWidth = width - nameWidth - valueWidth

// Readable on white and on black: the colours are those of the reader's theme.
const style = `
    text { font: 13px system-ui, sans-serif; fill: #1f2328 }
    .title { font-size: 16px; font-weight: 600 }
    .note { fill: #59636e }
    .bar0 { fill: #0969da }
    .bar1 { fill: #80ccff }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc }
      .note { fill: #9198a1 }
      .bar0 { fill: #4493f8 }
      .bar1 { fill: #1f4f8f }
    }`

/** A chart of horizontal bars as an SVG document. */
export function drawBars({ title, note, series, groups }: Chart): string {
  const groupHeight = series.length * barHeight + groupGap
  const height = top + groups.length * groupHeight + 8
  const most = Math.max(...groups.flatMap(({ values }) => values))
  const legend = series.map((name, index) => {
    const x = nameWidth + index * 150
    return `<rect class="bar${index}" x="${x}" y="55" width="12" height="12"/><text x="${x + 18}" y="66">${escape(name)}</text>`
  })
  const bars = groups.map(({ name, values }, group) => {
    const y = top + group * groupHeight
    const middle = y + (values.length * barHeight) / 2 + 4
    const rects = values.map((value, index) => {
      const barY = y + index * barHeight
      const length = Math.max(1, Math.round((value / most) * barsWidth))
      return (
        `<rect class="bar${index}" x="${nameWidth}" y="${barY}" width="${length}" height="${barHeight - 2}"/>` +
        `<text x="${nameWidth + length + 6}" y="${barY + 12}">${shown(value)}</text>`
      )
    })
    return `<text x="${nameWidth - 10}" y="${middle}" text-anchor="end">${escape(name)}</text>${rects.join('')}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
  <title>${escape(title)}</title>
  <style>${style}
  </style>
  <text class="title" x="10" y="24">${escape(title)}</text>
  <text class="note" x="10" y="44">${escape(note)}</text>
  ${[...legend, ...bars].join('\n  ')}
</svg>
`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
