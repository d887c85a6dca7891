import { once } from 'node:events'
import { createConnection } from 'node:net'
import { createHistogram } from 'node:perf_hooks'
import { takeJobs, type JobRunner } from '../frame/processes.ts'

// The side that asks, a process of its own. It shares the machine with what it measures, so it does as little as can be:
// requests are written before the clock starts, and of an answer it reads the status and the length. Every status is
// counted, and some bodies are kept for a check.

export interface LoadJob {
  port: number
  connections: number
  durationMs: number
  /** Request number n asks for path and key number n of these, from the start again after the last. */
  paths: string[]
  keys: string[]
  /** Ask for each path once and end after the last, even before the time is over. */
  once: boolean
}

export interface LoadResult {
  /** Answers that came whole; those with another status than 200 included. */
  answers: number
  otherStatuses: Record<string, number>
  seconds: number
  p50Ms: number
  p99Ms: number
  /** What the asking itself cost. */
  cpuMicros: number
  samples: { path: string; body: string }[]
}

export type Load = JobRunner<LoadJob, LoadResult>

export type Sample = LoadResult['samples'][number]

const host = '127.0.0.1'
const sampleEvery = 1_000
const samplesMax = 20
const receiveBytes = 64 * 1_024
const headEnd = '\r\n\r\n'

takeJobs(run)

async function run({ port, connections, durationMs, paths, keys, ...job }: LoadJob): Promise<LoadResult> {
  const count = job.once ? paths.length : Math.max(paths.length, keys.length)
  const requests = Array.from({ length: count }, (_, number) => {
    const key = keys[number % keys.length]
    return Buffer.from(
      `GET ${paths[number % paths.length]} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\nAuthorization: Bearer ${key}${headEnd}`,
    )
  })
  const latencies = createHistogram()
  const otherStatuses: Record<string, number> = {}
  const samples: Sample[] = []
  let next = 0

  async function work({ ask, socket }: Line): Promise<void> {
    while (performance.now() < deadlineMs && !(job.once && next >= count)) {
      const number = next++
      const keepsBody = number % sampleEvery === 0 && samples.length < samplesMax
      const startMs = performance.now()
      const { status, body } = await ask(requests[number % count]!, keepsBody)
      latencies.record(Math.max(1, Math.round((performance.now() - startMs) * 1_000)))
      if (status !== '200') otherStatuses[status] = (otherStatuses[status] ?? 0) + 1
      if (keepsBody) samples.push({ path: paths[number % paths.length]!, body })
    }
    socket.destroy()
  }

  const lines = await Promise.all(Array.from({ length: connections }, () => open(port)))
  const cpuBefore = process.cpuUsage()
  const startMs = performance.now()
  const deadlineMs = startMs + durationMs
  await Promise.all(lines.map(work))
  const seconds = (performance.now() - startMs) / 1_000
  const cpu = process.cpuUsage(cpuBefore)
  return {
    ...{ answers: latencies.count, otherStatuses, seconds, samples },
    p50Ms: latencies.percentile(50) / 1_000,
    p99Ms: latencies.percentile(99) / 1_000,
    cpuMicros: cpu.user + cpu.system,
  }
}

type Line = Awaited<ReturnType<typeof open>>

/** A connection, which asks for one answer at a time. */
async function open(port: number) {
  let asked = { keepsBody: false, ...Promise.withResolvers<{ status: string; body: string }>() }
  let [head, status, left]: [string, string, number] = ['', '', 0]
  let kept: Buffer[] = []
  const fail = (error: Error) => asked.reject(error)
  const take = (bytes: Buffer) => {
    let body = bytes
    if (left === 0) {
      // A head may come in pieces.
      const before = head.length
      head += bytes.toString('latin1', 0, 4_096)
      const end = head.indexOf(headEnd)
      if (end === -1) return
      const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
      if (length === undefined) return fail(new Error(`An answer has no Content-Length:\n${head}`))
      status = head.slice(9, 12)
      left = Number(length)
      body = bytes.subarray(end + headEnd.length - before)
      head = ''
    }
    if (asked.keepsBody) kept.push(Buffer.from(body))
    left -= body.length
    if (left < 0) return fail(new Error('The server sent more than it announced.'))
    if (left > 0) return
    asked.resolve({ status, body: Buffer.concat(kept).toString() })
    kept = []
  }
  // The bytes of each read overwrite those before.
  const callback = (size: number, buffer: Uint8Array) => {
    take((buffer as Buffer).subarray(0, size))
    return true
  }
  const onread = { buffer: Buffer.allocUnsafe(receiveBytes), callback }
  const socket = createConnection({ port, host, noDelay: true, onread })
  await once(socket, 'connect')
  socket.once('error', fail)
  socket.once('close', () => fail(new Error('The server closed the connection.')))
  const ask = (request: Buffer, keepsBody: boolean) => {
    asked = { keepsBody, ...Promise.withResolvers<{ status: string; body: string }>() }
    socket.write(request)
    return asked.promise
  }
  return { socket, ask }
}
