import { spawn } from 'node:child_process'
import { cp, readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { customerEnvironment, openRoom, run, shell } from './room.ts'
import { endOnceItPrints, serveAndDeliver } from './serving.ts'
import type { Step } from './step.ts'

const install = ['msw@3', 'express@5', 'hono@4', 'typescript@5.9', '@types/node@24', '@types/express@5']

/** Every file in `packages/<package>/examples`, compiled and run. */
export const examplesStep: Step = {
  name: 'examples',
  run: async (context) => {
    const files = ['free-port.js', 'deliver.mjs', 'call-examples.js']
    const room = await openRoom(context, 'examples', { install, files })
    for (const { source, unpacked } of context.packages) {
      // As published, where they are.
      const from = join((await readdir(unpacked)).includes('examples') ? unpacked : source, 'examples')
      await cp(from, join(room, basename(source)), {
        recursive: true,
        filter: (path) => !path.endsWith('tsconfig.json'),
      })
    }
    await writeFile(join(room, 'tsconfig.json'), JSON.stringify(project))
    await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], { cwd: room })

    const options = { cwd: room, env: customerEnvironment(context) }
    const prints = async (words: string[], expected: RegExp) => {
      const said = await run(process.execPath, words, options)
      if (!expected.test(said)) throw new Error(`${words.join(' ')} prints no ${expected.source}:\n${said}`)
    }
    await prints(['sdk/list-prices.ts', 'anthropic'], /anthropic:/)
    await prints(['sdk/handle-errors.ts'], /\w/)
    await prints(['sdk/register-webhook.ts'], /is registered/)
    await prints(['--test', 'sdk/test-your-program.ts'], /pass 4\b/)
    await followChanges(room, options.env)
    await serveAndDeliver(room, 'webhooks/express.mts', '/webhooks/ratecard', options.env)
    await serveAndDeliver(room, 'webhooks/by-hand.mts', '/', options.env)
    await prints(['call-examples.js'], /ok/)
    await prints(['--test', 'webhooks/test-your-endpoint.mts'], /pass 3\b/)
    return 'all compile and run'
  },
}

const project = {
  compilerOptions: {
    target: 'es2024',
    lib: ['es2024'],
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    erasableSyntaxOnly: true,
    // The packages' own declarations are checked by the step "typescript"; those of the frameworks are not ours.
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['sdk/*.ts', 'webhooks/*.mts'],
}

/** It never ends by itself: it is stopped after its first output, and must then end well. */
async function followChanges(room: string, env: Record<string, string>): Promise<void> {
  const child = spawn(process.execPath, ['sdk/follow-changes.ts'], {
    cwd: room,
    env: { ...shell, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  await endOnceItPrints(child, 'sdk/follow-changes.ts')
}
