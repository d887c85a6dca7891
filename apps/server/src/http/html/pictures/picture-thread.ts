import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { lowerThreadPriority } from '../../../platform/thread-priority.ts'
import { answerInThread } from '../../../threads/answer.ts'

// Paints one picture after the other: `painter.ts` starts it. Some 0.2 s of work each, and 100 MB while it lives.

const require = createRequire(import.meta.url)
const fontBuffers = [400, 600, 700].map((weight) =>
  readFileSync(require.resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`)),
)

const ready = initWasm(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')))
answerInThread(async (svg: string) => {
  lowerThreadPriority()
  await ready
  return paint(svg)
})

function paint(svg: string): Uint8Array {
  const painting = new Resvg(svg, {
    font: { fontBuffers, loadSystemFonts: false, defaultFontFamily: 'Inter' },
  })
  try {
    const image = painting.render()
    const png = image.asPng()
    image.free()
    return png
  } finally {
    painting.free()
  }
}
