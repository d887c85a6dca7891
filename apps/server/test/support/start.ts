import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished } from 'vitest'
import { program } from './process.ts'

const inMinutes = { timeout: 200_000, interval: 50 }

export interface Started {
  stdout: string
  stderr: string
  startMs: number
  stop: () => Promise<number | null>
}

/** Runs `start` until it prints its address. It ends with the test at the latest. */
export async function start(args: readonly string[], dataDir: string): Promise<Started> {
  const began = performance.now()
  const child = spawn(process.execPath, [program, 'start', ...args], {
    env: { PATH: process.env.PATH ?? '', PORT: '0', ADMIN_PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const closed = once(child, 'close')
  const started: Started = {
    stdout: '',
    stderr: '',
    startMs: 0,
    stop: async () => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await closed
      return child.exitCode
    },
  }
  onTestFinished(async () => void (await started.stop()))
  child.stdout.on('data', (chunk: Buffer) => (started.stdout += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (started.stderr += chunk.toString()))
  await expect
    .poll(() => child.exitCode !== null || /^\}\n$|Stop with Ctrl-C/m.test(started.stdout), inMinutes)
    .toBe(true)
  started.startMs = Math.round(performance.now() - began)
  expect(child.exitCode, started.stderr).toBeNull()
  return started
}
