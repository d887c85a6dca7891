// Receivers as the README of @ratecard/webhooks has them. A test compiles each against the package.

export interface Snippet {
  label: string
  /** Packages to install. */
  install: string
  /** The file that the code belongs to. */
  file: (path: string) => string
  code: (path: string) => string
}

const usualPath = '/webhooks/ratecard'

/** The path of the webhook's own address, where routers take it literally. */
export function receiverPath(url: string): string {
  const path = URL.parse(url)?.pathname ?? usualPath
  return /^\/$|^(\/[A-Za-z0-9_-]+)+$/.test(path) ? path : usualPath
}

const ours = '@ratecard/webhooks'

const handler = `async (event) => {
  for (const change of event.changes) console.log(change.title, change.url)
}`
const indented = handler.replaceAll('\n', '\n  ')
const secret = 'const secret = process.env.RATECARD_WEBHOOK_SECRET'

export const frameworks = {
  express: {
    label: 'Express',
    install: `${ours} express`,
    file: () => 'server.js',
    code: (path) => `import express from 'express'
import { ratecardWebhook } from '${ours}/express'

${secret}
const receive = ratecardWebhook({ secret }, ${handler})

const app = express()
// Before express.json(): what is verified are the bytes that were sent.
app.post('${path}', receive)
app.listen(process.env.PORT ?? 3000)
`,
  },
  fastify: {
    label: 'Fastify',
    install: `${ours} fastify`,
    file: () => 'server.js',
    code: (path) => `import Fastify from 'fastify'
import { ratecardWebhook } from '${ours}/fastify'

${secret}
const app = Fastify()
app.register(
  ratecardWebhook({ secret, path: '${path}' }, ${indented}),
)
await app.listen({ port: Number(process.env.PORT ?? 3000) })
`,
  },
  next: {
    label: 'Next.js (App Router)',
    install: ours,
    file: (path) => `app${path === '/' ? '' : path}/route.js`,
    code: () => `import { ratecardWebhook } from '${ours}/fetch'

${secret}

export const POST = ratecardWebhook({ secret }, ${handler})
`,
  },
  hono: {
    label: 'Hono',
    install: `${ours} hono`,
    file: () => 'server.js',
    code: (path) => `import { Hono } from 'hono'
import { ratecardWebhook } from '${ours}/fetch'

${secret}
const receive = ratecardWebhook({ secret }, ${handler})

const app = new Hono()
app.post('${path}', (c) => receive(c.req.raw))

export default app
`,
  },
  fetch: {
    label: 'fetch (Workers, Deno, Bun)',
    install: ours,
    file: () => 'worker.js',
    code: () => `import { ratecardWebhook } from '${ours}/fetch'

export default {
  fetch: (request, env) =>
    ratecardWebhook({ secret: env.RATECARD_WEBHOOK_SECRET }, ${handler.replaceAll('\n', '\n    ')})(request),
}
`,
  },
  node: {
    label: 'node:http',
    install: ours,
    file: () => 'server.js',
    code: () => `import { createServer } from 'node:http'
import { ratecardWebhook } from '${ours}/node'

${secret}
const receive = ratecardWebhook({ secret }, ${handler})

createServer(receive).listen(process.env.PORT ?? 3000)
`,
  },
  lambda: {
    label: 'AWS Lambda',
    install: ours,
    file: () => 'index.mjs',
    code: () => `import { ratecardWebhook } from '${ours}/lambda'

${secret}

export const handler = ratecardWebhook({ secret }, ${handler})
`,
  },
} satisfies Record<string, Snippet>

export type Framework = keyof typeof frameworks

/** For a library of Standard Webhooks. A test of the server verifies deliveries with it. */
export const standardSnippet = {
  install: 'standardwebhooks',
  file: 'verify.mjs',
  code: `import { Webhook } from 'standardwebhooks'

// The key is the UTF-8 bytes of the secret. Libraries of the standard take it as whsec_ and base64.
const key = Buffer.from(process.env.RATECARD_WEBHOOK_SECRET).toString('base64')
const webhook = new Webhook(\`whsec_\${key}\`)

/** The alert. Throws when the signature or the age is wrong. The body is the bytes that came, as a Buffer. */
export const verify = (body, headers) => webhook.verify(body, headers)
`,
}
