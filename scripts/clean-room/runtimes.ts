import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { run } from '../packages/programs.ts'
import { customerEnvironment, openRoom, type Context, type Step } from './room.ts'

interface Runtime {
  name: string
  /** On npm. */
  package: string
  /** Below `node_modules`. */
  program: string
  /** Before the file. */
  words?: string[]
  /** Run besides the smoke test. */
  also?: string[]
}

function on({ name, package: install, program, words = [], also = [] }: Runtime): Step {
  return {
    name,
    run: async (context) => {
      const files = ['smoke.js', 'run-smoke.js', ...also]
      const room = await openRoom(context, name, { install: [install], files })
      const runtime = join(room, 'node_modules', program)
      // Deno keeps a cache; it belongs into the room.
      const deno = { DENO_DIR: join(room, '.deno'), DENO_NO_UPDATE_CHECK: '1' }
      const options = { cwd: room, env: { ...customerEnvironment(context), ...deno } }
      const version = await run(runtime, ['--version'], options)
      const looks = await run(runtime, [...words, 'run-smoke.js'], options)
      for (const file of also) await run(runtime, [...words, file], options)
      return [`${version.split('\n')[0]}: ${looks.trim()} looks`, ...also].join(', ')
    },
  }
}

/** Node of a major version: ESM, CommonJS, and both in one program. */
function onNode(major: number): Step {
  const name = `node${major}`
  return on({ name, package: `node@${major}`, program: 'node/bin/node', also: ['both-formats.cjs'] })
}

/** Makes `bundle.js` of a file, as the tools of Cloudflare Workers would. */
export async function bundleForWorkers(room: string, file: string): Promise<void> {
  await build({
    absWorkingDir: room,
    entryPoints: [file],
    outfile: 'bundle.js',
    bundle: true,
    format: 'esm',
    target: 'es2022',
    conditions: ['workerd', 'worker', 'browser'],
    logLevel: 'warning',
  })
}

/** The runtime of Cloudflare Workers. */
const onWorkerd: Step = {
  name: 'workerd',
  run: async (context) => {
    const files = ['smoke.js', 'worker.js']
    const room = await openRoom(context, 'workerd', { install: ['workerd'], files })
    await bundleForWorkers(room, 'worker.js')
    await writeFile(join(room, 'config.capnp'), workerdConfig(context))
    const workerd = join(room, 'node_modules/.bin/workerd')
    const version = await run(workerd, ['--version'], { cwd: room })
    await run(workerd, ['test', 'config.capnp'], { cwd: room })
    return version.trim()
  },
}

function workerdConfig(context: Context): string {
  const bindings = Object.entries(customerEnvironment(context)).map(
    ([name, value]) => `      (name = "${name}", text = ${JSON.stringify(value)}),`,
  )
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "worker", worker = (
      modules = [(name = "bundle.js", esModule = embed "bundle.js")],
      compatibilityDate = "2026-01-01",
      bindings = [
${bindings.join('\n')}
      ],
    )),
    (name = "internet", network = (allow = ["public", "private", "local"])),
  ],
);
`
}

export const runtimeSteps: Step[] = [
  ...[20, 22, 24].map(onNode),
  on({ name: 'deno', package: 'deno', program: '.bin/deno', words: ['run', '--allow-net', '--allow-env'] }),
  on({ name: 'bun', package: 'bun', program: '.bin/bun' }),
  onWorkerd,
]
