import { gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const server = 'http://localhost:8080'
const initialScriptBytesMax = 150_000

/** Fails a build whose first script, which every page waits for, is too large when compressed. */
const initialScriptSize: Plugin = {
  name: 'initial-script-size',
  generateBundle(_options, bundle) {
    const sizeOf = (name: string, seen: Set<string>): number => {
      const chunk = bundle[name]
      if (chunk?.type !== 'chunk' || seen.has(name)) return 0
      seen.add(name)
      return chunk.imports.reduce((sum, next) => sum + sizeOf(next, seen), gzipSync(chunk.code).length)
    }
    const entries = Object.values(bundle).filter((file) => file.type === 'chunk' && file.isEntry)
    const seen = new Set<string>()
    const bytes = entries.reduce((sum, { fileName }) => sum + sizeOf(fileName, seen), 0)
    if (bytes > initialScriptBytesMax) {
      this.error(`The initial script has ${bytes} bytes compressed; ${initialScriptBytesMax} are allowed.`)
    }
    this.info(`initial script: ${bytes} bytes compressed`)
  },
}

/** Nothing is painted before the first script has run: it knows whether the user wants the page light or dark. */
const paintAfterScript: Plugin = {
  name: 'paint-after-script',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => html.replace('<script type="module"', '<script type="module" blocking="render"'),
  },
}

export default defineConfig({
  base: '/dashboard/',
  plugins: [react(), initialScriptSize, paintAfterScript],
  build: {
    target: 'es2022',
    // No data: addresses, which the policy of the page would refuse for a script or a font.
    assetsInlineLimit: 0,
    // Browsers with modules preload by themselves.
    modulePreload: { polyfill: false },
  },
  // `pnpm --filter @ratecard/dashboard dev` beside a running server: requests go to the server.
  server: { proxy: { '/dashboard/api': { target: server } } },
})
