import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { isMainThread, parentPort } from 'node:worker_threads'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { lowerThreadPriority } from '../../../platform/thread-priority.ts'

// Paints one picture after the other: `painter.ts` starts it. Some 0.2 s of work each, and 100 MB while it lives.

const require = createRequire(import.meta.url)
const fontBuffers = [400, 600, 700].map((weight) =>
  readFileSync(require.resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff2`)),
)

if (!isMainThread && parentPort) {
  lowerThreadPriority()
  const port = parentPort
  const ready = initWasm(readFileSync(require.resolve('@resvg/resvg-wasm/index_bg.wasm')))
  port.on('message', (svg: string) => {
    void ready
      .then(() => port.postMessage(paint(svg)))
      .catch((error: unknown) => port.postMessage({ failure: String(error) }))
  })
}

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
