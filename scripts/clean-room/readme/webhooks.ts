import { createHmac } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { listen } from '../../packages/programs.ts'
import { bundleForWorkers } from '../runtimes.ts'
import { prints, runLine, serves, type Play, type Stage } from '../play.ts'

/** The bundle that the tools of Workers would make, and a configuration that serves it. */
async function prepareWorker({ room, file, env }: Stage): Promise<void> {
  await bundleForWorkers(room, file)
  const secret = JSON.stringify(env.RATECARD_WEBHOOK_SECRET)
  await writeFile(
    join(room, 'config.capnp'),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "worker", worker = (
    modules = [(name = "bundle.js", esModule = embed "bundle.js")],
    compatibilityDate = "2026-01-01",
    bindings = [(name = "RATECARD_WEBHOOK_SECRET", text = ${secret})],
  ))],
  sockets = [(name = "http", http = (), service = "worker")],
);
`,
  )
}

/** The compiler's settings of a project that `nest new` made. */
const nestProject = {
  compilerOptions: {
    module: 'nodenext',
    moduleResolution: 'nodenext',
    esModuleInterop: true,
    isolatedModules: true,
    emitDecoratorMetadata: true,
    experimentalDecorators: true,
    target: 'ES2023',
    rootDir: './src',
    outDir: './dist',
    strict: true,
    skipLibCheck: true,
    types: ['node'],
  },
  include: ['src'],
}

/** Lets the error of `verify` through, as many will. */
const letsThrough = `import { Controller, HttpCode, Module, Post, type RawBodyRequest, Req } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { verify } from '@ratecard/webhooks'
import type { Request } from 'express'

@Controller()
class WebhooksController {
  @Post('webhooks/ratecard')
  @HttpCode(204)
  async receive(@Req() request: RawBodyRequest<Request>): Promise<void> {
    const event = await verify(request.rawBody ?? '', request.headers)
    console.log(event.changes.length)
  }
}

@Module({ controllers: [WebhooksController] })
class AppModule {}

void NestFactory.create(AppModule, { rawBody: true }).then((app) => app.listen(process.env.PORT ?? 3000))
`

const nest = ['@nestjs/common', '@nestjs/core', '@nestjs/platform-express', 'reflect-metadata', 'rxjs']
const typescript = ['typescript@5.9', '@types/node@24', '@types/express@5']

const callsLambda: Play = {
  run: async (stage) => {
    await runLine(stage, `node call-lambda.mjs ${stage.file}`)
  },
}

const compiles: Play = {
  also: typescript,
  run: async (stage) => {
    await runLine(
      stage,
      `tsc --noEmit --strict --module nodenext --target es2022 --types node --skipLibCheck ${stage.file}`,
    )
  },
}

/** Posts a signed delivery to the address that is its argument. */
const posts: Play = {
  run: async (stage) => {
    const secret = stage.env.RATECARD_WEBHOOK_SECRET ?? ''
    const server = createServer((request, response) => {
      void buffer(request).then((body) => {
        const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`
        response.writeHead(request.headers['x-svc-signature'] === expected ? 204 : 401).end()
      })
    })
    using listening = await listen(server)
    for (const command of stage.commands) {
      const said = await runLine(stage, `${command} ${listening.origin}/webhooks/ratecard`)
      if (said.trim() !== '204') throw new Error(`"${command}" prints ${said}`)
    }
  },
}

/** What each program of the README must do. */
export const plays: Record<string, Play> = {
  'app.mjs': serves({ withOthers: ['express@4'] }),
  'app/webhooks/ratecard/route.js': serves({
    also: ['next', 'react', 'react-dom'],
    // A project that `create-next-app` made names no module type.
    prepare: async (stage) => void (await runLine(stage, 'npm pkg delete type')),
    commands: ['next dev --port 3000'],
  }),
  'fastify.mjs': serves(),
  'hono.mjs': serves(),
  'src/index.js': serves({
    also: ['workerd'],
    prepare: prepareWorker,
    commands: ['workerd serve config.capnp --socket-addr http=127.0.0.1:3000'],
  }),
  'server.mjs': serves({ also: ['deno', 'bun'] }),
  'node-http.mjs': serves(),
  'index.mjs': callsLambda,
  'src/main.ts': serves({
    also: [...nest, ...typescript],
    prepare: async (stage) => {
      await writeFile(join(stage.room, 'tsconfig.json'), JSON.stringify(nestProject))
      await writeFile(join(stage.room, 'src/lets-through.ts'), letsThrough)
      await runLine(stage, 'tsc -p .')
    },
    commands: ['node dist/main.js', 'node dist/lets-through.js'],
    get: 404,
  }),
  'by-hand.mjs': serves({ also: ['bun'], get: 401 }),
  'rotate.mjs': serves({ also: ['bun'], get: 401 }),
  'once.mjs': serves({ again: 200 }),
  'send.mjs': posts,
  'endpoint.test.mjs': prints(/pass 2\b/),
  'standardwebhooks.mjs': serves({ get: 404 }),
  'svix.mjs': serves({ get: 404 }),
  'handle.ts': compiles,
  'express.mts': serves(),
}
