import { once } from 'node:events'
import { createServer, connect, type AddressInfo } from 'node:net'
import { delimiter, dirname } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { run, start } from '../packages/programs.ts'

/** Where a program of a README, or an example, is tried. */
export interface Stage {
  /** The folder, with what its section installs. */
  room: string
  file: string
  /** What the README says to start it with; `node <file>` where it says nothing. */
  commands: string[]
  /** The lines that the README shows as printed. */
  output?: string[]
  env: Record<string, string>
}

/** What is done with a program, and what must come of it. */
export interface Play {
  /** What a reader has before the first line: the framework's starter, another runtime. */
  also?: string[]
  run: (stage: Stage) => Promise<void>
}

const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`

/** Runs a line of shell to its end in the room. */
export function runLine({ room, env }: Pick<Stage, 'room' | 'env'>, line: string): Promise<string> {
  return run('sh', ['-c', line], {
    cwd: room,
    env: { ...env, PATH: `${room}/node_modules/.bin${delimiter}${path}` },
  })
}

export async function installWith(stage: Pick<Stage, 'room' | 'env'>, words: string[]): Promise<void> {
  await runLine(
    stage,
    `npm install --no-audit --no-fund --loglevel=error --prefer-offline ${words.join(' ')}`,
  )
}

/** Runs to its end, well, and prints what is expected. */
export function prints(expected = /\S/, also: string[] = []): Play {
  return {
    also,
    run: async (stage) => {
      for (const command of stage.commands) {
        const said = await runLine(stage, command)
        if (!expected.test(said)) throw new Error(`"${command}" prints no ${expected.source}:\n${said}`)
      }
    },
  }
}

/** Goes on until it is ended, has printed something by then, and ends well. */
export const outlives: Play = {
  run: async ({ room, env, commands: [command = ''] }) => {
    const { child, printed, closed } = start('sh', ['-c', `exec ${command}`], {
      cwd: room,
      env: { ...env, PATH: path },
    })
    await Promise.race([once(child.stdout, 'data'), closed])
    const wasAlive = child.exitCode === null
    child.kill('SIGTERM')
    const [code] = await closed
    if (!wasAlive || code !== 0)
      throw new Error(`"${command}" ended with ${code ?? 'a signal'}:\n${printed.errors}`)
  },
}

export interface Serving {
  /** Where it takes deliveries. */
  path?: string
  /** What a GET is answered with. */
  get?: number
  /** What the same delivery is answered with when it comes again. */
  again?: number
  also?: string[]
  /** Done before it is started. */
  prepare?: (stage: Stage) => Promise<void>
  /** Instead of what the README says. */
  commands?: string[]
  /** Started again with these packages instead. */
  withOthers?: string[]
}

/** Serves: takes a signed delivery and says something of it, refuses forged ones with 401. */
export function serves({ withOthers, ...serving }: Serving = {}): Play {
  return {
    also: serving.also ?? [],
    run: async (stage) => {
      await serving.prepare?.(stage)
      const serveAll = async () => {
        for (const command of serving.commands ?? stage.commands) await serveOnce(stage, command, serving)
      }
      await serveAll()
      for (const other of withOthers ?? []) {
        await installWith(stage, [other])
        await serveAll()
      }
    },
  }
}

async function serveOnce(stage: Stage, command: string, serving: Serving): Promise<void> {
  const { room, env } = stage
  const port = await freePort()
  // In a group of its own: what it starts ends with it.
  const { child, printed, closed } = start('sh', ['-c', `exec ${command.replaceAll('3000', port)}`], {
    cwd: room,
    env: { ...env, PORT: port, PATH: `${room}/node_modules/.bin${delimiter}${path}` },
    detached: true,
  })
  try {
    if ((await Promise.race([untilListening(port), closed])) !== 'listening')
      throw new Error('It ended without listening.')
    const before = printed.output.length
    const url = `http://127.0.0.1:${port}${serving.path ?? '/webhooks/ratecard'}`
    const { get = 405, again = '' } = serving
    await run(process.execPath, ['deliver.mjs', url, String(get), String(again)], { cwd: room, env })
    if (printed.output.length === before) throw new Error('It took the delivery and printed nothing.')
  } catch (error) {
    const { output, errors } = printed
    throw new Error(`"${command}": ${(error as Error).message}\n${output}${errors}`, { cause: error })
  } finally {
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM')
    await closed
  }
}

export async function freePort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return String(port)
}

export async function untilListening(port: string, limitMs = 60_000): Promise<'listening'> {
  for (const endMs = Date.now() + limitMs; Date.now() < endMs; await pause(100)) {
    const socket = connect(Number(port), '127.0.0.1')
    try {
      await once(socket, 'connect')
      return 'listening'
    } catch {
      // Not yet.
    } finally {
      socket.destroy()
    }
  }
  throw new Error(`Nothing listens on the port of PORT after ${limitMs / 1_000} s.`)
}
