import { spawn, type ChildProcessByStdio } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { run, shell } from './room.ts'

/** Runs a program that serves webhooks, delivers to it, and ends it. It must have printed something by then. */
export async function serveAndDeliver(
  room: string,
  file: string,
  path: string,
  env: Record<string, string>,
): Promise<void> {
  const child = spawn(process.execPath, ['--import', join(room, 'free-port.js'), file], {
    cwd: room,
    env: { ...shell, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  const port = new Promise<string>((resolve) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text
      const found = /free-port (\d+)/.exec(errors)?.[1]
      if (found !== undefined) resolve(found)
    })
  })
  try {
    const listening = await Promise.race([port, closed.then(() => null)])
    if (listening === null) throw new Error(`${file} ended without listening:\n${output}${errors}`)
    await run(process.execPath, ['deliver.mjs', `http://127.0.0.1:${listening}${path}`], { cwd: room, env })
  } finally {
    child.kill('SIGTERM')
    await closed
  }
  if (output === '') throw new Error(`${file} took the delivery and printed nothing.\n${errors}`)
}

/** Ends a program that goes on by itself, once it has printed something. It must then end well. */
export async function endOnceItPrints(
  child: ChildProcessByStdio<null, Readable, Readable>,
  name: string,
): Promise<void> {
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const closed = once(child, 'close') as Promise<[number | null]>
  await Promise.race([once(child.stdout, 'data'), closed])
  child.stdout.resume()
  const wasAlive = child.exitCode === null
  child.kill('SIGTERM')
  const [code] = await closed
  if (!wasAlive || code !== 0) throw new Error(`"${name}" ended with ${code ?? 'a signal'}:\n${errors}`)
}
