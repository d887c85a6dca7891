import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { build } from 'esbuild'
import { customerEnvironment, openRoom, run, webhookSecret } from './room.ts'
import type { Step } from './step.ts'

/** Serves the page to the browser. It listens before the API server starts, which must know its origin. */
export interface PageServer {
  origin: string
  show: (script: string) => void
  close: () => Promise<void>
}

export async function startPageServer(): Promise<PageServer> {
  let script = ''
  const server: Server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? script : '<!doctype html><title>Page</title><script src="/page.js"></script>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    show: (text) => (script = text),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A bundle for browsers, in a real one, calling the real server from another origin. */
export function browserStep(pages: PageServer): Step {
  return {
    name: 'browser',
    run: async (context) => {
      const room = await openRoom(context, 'browser', {
        install: ['@sparticuz/chromium', 'playwright-core'],
        files: ['smoke.js', 'page.js', 'open-page.js'],
      })
      await build({
        absWorkingDir: room,
        entryPoints: ['page.js'],
        outfile: 'bundle.js',
        bundle: true,
        minify: true,
        target: 'es2022',
        logLevel: 'warning',
      })
      const settings = { baseUrl: context.server.url, apiKey: context.server.apiKey, secret: webhookSecret }
      const bundle = await readFile(join(room, 'bundle.js'), 'utf8')
      pages.show(`globalThis.settings = ${JSON.stringify(settings)};\n${bundle}`)
      const env = { ...customerEnvironment(context), TMPDIR: room }
      const said = await run(process.execPath, ['open-page.js', pages.origin], { cwd: room, env })
      return said.trim()
    },
  }
}
