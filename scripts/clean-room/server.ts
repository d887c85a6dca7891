import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { repository } from '../packages/published.ts'

/** `ratecard start` with its own database, real prices and changes, and a customer on a paid plan. */
export interface RunningServer {
  url: string
  apiKey: string
  stop: () => Promise<void>
}

const program = join(repository, 'apps/server/bin/ratecard.js')

/** @param corsOrigin the browser origin that may call it */
export async function startServer(folder: string, corsOrigin: string): Promise<RunningServer> {
  const env = {
    PATH: process.env.PATH,
    DATA_DIR: join(folder, 'server-data'),
    PORT: '0',
    ADMIN_PORT: '0',
    CORS_ORIGINS: corsOrigin,
  }
  const child = spawn(process.execPath, [program, 'start', '--json'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text))
  const closed = once(child, 'close')
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await closed
  }
  try {
    const started = await Promise.race([firstDocument(child.stdout), closed.then(() => null)])
    if (!started) throw new Error(`The server ended at its start:\n${log}`)
    const { url, demo } = started as { url: string; demo: { account_id: string; key: string } }
    const grant = spawn(
      process.execPath,
      [program, 'subscriptions', 'set', '--account', demo.account_id, '--plan', 'scale'],
      { env, stdio: 'ignore' },
    )
    const [code] = (await once(grant, 'close')) as [number | null]
    if (code !== 0) throw new Error(`"ratecard subscriptions set" ended with exit code ${code}.`)
    return { url: url.replace('localhost', '127.0.0.1'), apiKey: demo.key, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function firstDocument(stream: NodeJS.ReadableStream): Promise<unknown> {
  let text = ''
  for await (const chunk of stream) {
    text += String(chunk)
    try {
      return JSON.parse(text)
    } catch {
      // More is to come.
    }
  }
  return null
}
