import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { build } from 'esbuild'
import { customerEnvironment, openRoom, run, type Context } from './room.ts'
import type { Step } from './step.ts'

const smokeFiles = ['smoke.js', 'run-smoke.js']

/** Node of a major version: ESM, CommonJS, and both in one program. */
function onNode(major: number): Step {
  return {
    name: `node${major}`,
    run: async (context) => {
      const files = [...smokeFiles, 'both-formats.cjs']
      const room = await openRoom(context, `node${major}`, { install: [`node@${major}`], files })
      const node = join(room, 'node_modules/node/bin/node')
      const options = { cwd: room, env: customerEnvironment(context) }
      const version = await run(node, ['--version'], options)
      const looks = await run(node, ['run-smoke.js'], options)
      await run(node, ['both-formats.cjs'], options)
      return `${version.trim()}: ESM and CommonJS, ${looks.trim()} looks`
    },
  }
}

const onDeno: Step = {
  name: 'deno',
  run: async (context) => {
    const room = await openRoom(context, 'deno', { install: ['deno'], files: smokeFiles })
    const deno = join(room, 'node_modules/.bin/deno')
    // Deno keeps a cache; it belongs into the room.
    const env = { ...customerEnvironment(context), DENO_DIR: join(room, '.deno'), DENO_NO_UPDATE_CHECK: '1' }
    const version = await run(deno, ['--version'], { cwd: room, env })
    const looks = await run(deno, ['run', '--allow-net', '--allow-env', 'run-smoke.js'], { cwd: room, env })
    return `${version.split('\n')[0]}: ${looks.trim()} looks`
  },
}

const onBun: Step = {
  name: 'bun',
  run: async (context) => {
    const room = await openRoom(context, 'bun', { install: ['bun'], files: smokeFiles })
    const bun = join(room, 'node_modules/.bin/bun')
    const options = { cwd: room, env: customerEnvironment(context) }
    const version = await run(bun, ['--version'], options)
    const looks = await run(bun, ['run-smoke.js'], options)
    return `bun ${version.trim()}: ${looks.trim()} looks`
  },
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
    const room = await openRoom(context, 'workerd', {
      install: ['workerd'],
      files: ['smoke.js', 'worker.js'],
    })
    await bundleForWorkers(room, 'worker.js')
    await writeFile(join(room, 'config.capnp'), workerdConfig(context))
    const workerd = join(room, 'node_modules/.bin/workerd')
    const options = { cwd: room }
    const version = await run(workerd, ['--version'], options)
    await run(workerd, ['test', 'config.capnp'], options)
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

export const runtimeSteps: Step[] = [onNode(20), onNode(22), onNode(24), onDeno, onBun, onWorkerd]
