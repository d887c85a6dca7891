import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { build } from 'esbuild'
import { listen, run } from '../packages/programs.ts'
import { customerEnvironment, openRoom, webhookSecret, type Step } from './room.ts'

export type PageServer = Awaited<ReturnType<typeof startPageServer>>

/** Serves the page to the browser. It listens before the API server starts, which must know its origin. */
export async function startPageServer() {
  let script = ''
  const server = createServer((request, response) => {
    const isScript = request.url === '/page.js'
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html; charset=utf-8')
    response.end(isScript ? script : '<!doctype html><title>Page</title><script src="/page.js"></script>')
  })
  return { ...(await listen(server)), show: (text: string) => (script = text) }
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
      return (await run(process.execPath, ['open-page.js', pages.origin], { cwd: room, env })).trim()
    },
  }
}
