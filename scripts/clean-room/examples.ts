import { cp, readdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { run } from '../packages/programs.ts'
import { outlives, prints, serves, type Play } from './play.ts'
import { customerEnvironment, openRoom, type Step } from './room.ts'

const install = ['msw@3', 'express@5', 'hono@4', 'typescript@5.9', '@types/node@24', '@types/express@5']

/** Every file in `packages/<package>/examples`, compiled and run. */
export const examplesStep: Step = {
  name: 'examples',
  run: async (context) => {
    const files = ['deliver.mjs', 'call-examples.js']
    const room = await openRoom(context, 'examples', { install, files })
    for (const { source, unpacked } of context.packages) {
      // As published, where they are.
      const place = await findFolder('examples', [unpacked, source])
      if (place === undefined) continue
      await cp(join(place, 'examples'), join(room, basename(source)), {
        recursive: true,
        filter: (path) => !path.endsWith('tsconfig.json'),
      })
    }
    await writeFile(join(room, 'tsconfig.json'), JSON.stringify(project))
    await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', '.'], { cwd: room })

    const env = customerEnvironment(context)
    for (const [line, play] of plays) await play.run({ room, file: '', commands: [`node ${line}`], env })
    return 'all compile and run'
  },
}

async function findFolder(name: string, folders: readonly string[]): Promise<string | undefined> {
  for (const folder of folders) if ((await readdir(folder)).includes(name)) return folder
  return undefined
}

/** What each must do. */
const plays: [line: string, play: Play][] = [
  ['sdk/list-prices.ts anthropic', prints(/anthropic:/)],
  ['sdk/handle-errors.ts', prints(/\w/)],
  ['sdk/register-webhook.ts', prints(/is registered/)],
  ['--test sdk/test-your-program.ts', prints(/pass 4\b/)],
  ['sdk/follow-changes.ts', outlives],
  ['webhooks/express.mts', serves()],
  // It takes nothing without a length, and a GET has none.
  ['webhooks/by-hand.mts', serves({ path: '/', get: 413 })],
  ['call-examples.js', prints(/ok/)],
  ['--test webhooks/test-your-endpoint.mts', prints(/pass 3\b/)],
]

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
