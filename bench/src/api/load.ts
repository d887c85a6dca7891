import { createConnection, type Socket } from 'node:net'
import { takeJobs } from '../job.ts'

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
  samples: Sample[]
}

export interface Sample {
  path: string
  body: string
}

const host = '127.0.0.1'
const sampleEvery = 1_000
const samplesMax = 20
const receiveBytes = 64 * 1_024
const headEnd = '\r\n\r\n'

// Latencies in steps of 10 microseconds up to ten seconds: the memory does not grow with the answers.
const stepMicros = 10
const steps = 1_000_000

takeJobs(run)

async function run(job: LoadJob): Promise<LoadResult> {
  const count = job.once ? job.paths.length : Math.max(job.paths.length, job.keys.length)
  const requests = Array.from({ length: count }, (_, number) => {
    const path = job.paths[number % job.paths.length]
    const key = job.keys[number % job.keys.length]
    return Buffer.from(
      `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\nAuthorization: Bearer ${key}${headEnd}`,
    )
  })
  const latencies = new Uint32Array(steps + 1)
  const otherStatuses: Record<string, number> = {}
  const samples: Sample[] = []
  let next = 0
  let answers = 0
  let deadlineMs = Infinity

  async function work(socket: Socket, reader: AnswerReader): Promise<void> {
    while (performance.now() < deadlineMs && !(job.once && next >= count)) {
      const number = next++
      const request = requests[number % count]
      if (!request) return
      reader.keepsBody = number % sampleEvery === 0 && samples.length < samplesMax
      const startMs = performance.now()
      socket.write(request)
      const { status, body } = await reader.answer()
      const micros = (performance.now() - startMs) * 1_000
      const step = Math.min(steps, Math.floor(micros / stepMicros))
      latencies[step] = (latencies[step] ?? 0) + 1
      answers += 1
      if (status !== '200') otherStatuses[status] = (otherStatuses[status] ?? 0) + 1
      if (reader.keepsBody) samples.push({ path: job.paths[number % job.paths.length] ?? '', body })
    }
  }

  const lines = await Promise.all(Array.from({ length: job.connections }, () => open(job.port)))
  const cpuBefore = process.cpuUsage()
  const startMs = performance.now()
  deadlineMs = startMs + job.durationMs
  await Promise.all(lines.map(({ socket, reader }) => work(socket, reader)))
  const seconds = (performance.now() - startMs) / 1_000
  const cpu = process.cpuUsage(cpuBefore)
  for (const { socket } of lines) socket.destroy()
  return {
    answers,
    otherStatuses,
    seconds,
    p50Ms: latencyMs(latencies, answers * 0.5),
    p99Ms: latencyMs(latencies, answers * 0.99),
    cpuMicros: cpu.user + cpu.system,
    samples,
  }
}

interface Answer {
  status: string
  /** Empty unless bodies are kept. */
  body: string
}

/** Reads one answer after the other from the bytes of a connection. */
class AnswerReader {
  keepsBody = false
  #head = ''
  #status = ''
  #left = 0
  #isInBody = false
  #kept: Buffer[] = []
  #resolve: (answer: Answer) => void = () => undefined
  #reject: (error: Error) => void = () => undefined

  answer(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
  }

  fail(error: Error): void {
    this.#reject(error)
  }

  /** The bytes are overwritten after the call. */
  take(bytes: Buffer): void {
    let body = bytes
    if (!this.#isInBody) {
      const end = bytes.indexOf(headEnd)
      // Where a head comes in pieces, its end may be in two of them: read it as a whole.
      if (end === -1 || this.#head !== '') {
        this.#head += bytes.toString('latin1')
        const whole = this.#head.indexOf(headEnd)
        if (whole === -1) return
        body = bytes.subarray(bytes.length - (this.#head.length - whole - headEnd.length))
        this.#begin(this.#head.slice(0, whole))
        this.#head = ''
      } else {
        body = bytes.subarray(end + headEnd.length)
        this.#begin(bytes.toString('latin1', 0, end))
      }
    }
    if (this.keepsBody) this.#kept.push(Buffer.from(body))
    this.#left -= body.length
    if (this.#left < 0) return this.fail(new Error('The server sent more than it announced.'))
    if (this.#left > 0) return
    this.#isInBody = false
    const kept = this.#kept.splice(0)
    this.#resolve({
      status: this.#status,
      body: kept.length > 0 ? Buffer.concat(kept).toString() : '',
    })
  }

  #begin(head: string): void {
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    if (length === undefined) return this.fail(new Error(`An answer has no Content-Length:\n${head}`))
    this.#status = head.slice(9, 12)
    this.#left = Number(length)
    this.#isInBody = true
  }
}

function open(port: number): Promise<{ socket: Socket; reader: AnswerReader }> {
  const reader = new AnswerReader()
  return new Promise((resolve, reject) => {
    const socket = createConnection({
      port,
      host,
      noDelay: true,
      onread: {
        buffer: Buffer.allocUnsafe(receiveBytes),
        callback: (size, buffer) => {
          reader.take((buffer as Buffer).subarray(0, size))
          return true
        },
      },
    })
    socket.once('connect', () => resolve({ socket, reader }))
    socket.once('error', (error) => {
      reject(error)
      reader.fail(error)
    })
    socket.once('close', () => reader.fail(new Error('The server closed the connection.')))
  })
}

function latencyMs(latencies: Uint32Array, rank: number): number {
  let seen = 0
  const step = latencies.findIndex((count) => (seen += count) > rank)
  return ((step + 0.5) * stepMicros) / 1_000
}
