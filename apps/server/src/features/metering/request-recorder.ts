import type { Scheduler } from '../../platform/scheduler.ts'
import { shownTarget } from './request-target.ts'

/** A request that was answered, or whose client has gone. */
export interface RequestNote {
  requestId: string
  /** The key, when it works. */
  keyId: string | undefined
  accountId: string | undefined
  /** SHA-256 of a key that is refused, in hex: whose it was is looked up when the note is written. */
  keyHash: string | undefined
  operation: string
  /** Path and query as they were sent. */
  target: string
  status: number
  /** The code in the answer; undefined: it was served. */
  error: string | undefined
  durationMs: number
}

/** Equal requests, since the last writing. */
export interface RequestCount {
  key_id: string | undefined
  key_hash: string | undefined
  operation: string
  status: number
  error: string
  requests: number
  /** Since the first of them. */
  age_ms: number
}

export interface RequestLine extends Omit<RequestCount, 'requests'> {
  id: string
  target: string
  duration_ms: number
}

export interface RequestRecorderOptions {
  /** Writes them down, in one statement. */
  write: (counts: RequestCount[], lines: RequestLine[]) => Promise<void>
  /** Names of the query parameters whose values may be shown. */
  parameters: ReadonlySet<string>
  scheduler: Scheduler
  /** Requests of which nothing will be known, and why. */
  onLost: (requests: number, reason: unknown) => void
}

/** Most lines a minute, of this process. Of what exceeds them the number is kept. */
export const linesAMinute = {
  /** Of requests that are alike: key, operation, status and error. */
  alike: 60,
  account: 120,
  /** Of keys that are refused, all together: anybody can send such. */
  refusedKeys: 300,
} as const

/** Kinds of requests a minute of which at least the number is kept. */
const kindsMax = 10_000
const refusedKindsMax = 100
/** What waits to be written. A line takes less than a kilobyte. */
const linesWaitingMax = 5_000
const writtenAtATimeMax = 2_000
const minuteMs = 60_000
const restMsMin = 1_000
/** A writing is followed by a rest so many times as long: the log takes a twentieth of a connection. */
const restShare = 20

/** Requests that are alike. */
interface Kind {
  count: Omit<RequestCount, 'requests' | 'age_ms'>
  /** Not written yet. */
  requests: number
  /** When the first of them ended. */
  sinceMs: number
  /** In this minute. */
  lines: number
}

interface WaitingLine {
  line: Omit<RequestLine, 'age_ms'>
  atMs: number
}

/**
 * Notes requests for the log of their account, and writes the notes down in the background. No request waits for it,
 * and none fails with it: what cannot be noted or written is lost, counted and reported. Its memory is bounded.
 */
export class RequestRecorder {
  readonly #options: RequestRecorderOptions
  readonly #kinds = new Map<string, Kind>()
  readonly #linesOf = new Map<string, number>()
  /** Kinds with requests that are not written yet. */
  #unwritten: Kind[] = []
  #lines: WaitingLine[] = []
  #minuteEndsMs = 0
  #refusedKinds = 0
  #lost = 0
  #stopTimer: (() => void) | null = null
  #writing: Promise<void> | null = null
  #isClosed = false

  constructor(options: RequestRecorderOptions) {
    this.#options = options
  }

  note(note: RequestNote): void {
    const owner = note.keyId ?? note.keyHash
    if (owner === undefined || this.#isClosed) return
    const nowMs = this.#options.scheduler.nowMs()
    if (nowMs >= this.#minuteEndsMs) this.#beginMinute(nowMs)
    const kind = this.#kindOf(note, owner)
    if (!kind) {
      this.#lost += 1
    } else {
      if (kind.requests === 0) {
        kind.sinceMs = nowMs
        this.#unwritten.push(kind)
      }
      kind.requests += 1
      if (this.#mayHaveLine(kind, note)) this.#addLine(kind, note, nowMs)
    }
    if (this.#writing === null)
      this.#stopTimer ??= this.#options.scheduler.after(restMsMin, () => void this.#write())
  }

  /** Writes what waits, in the time of one statement. */
  async close(): Promise<void> {
    this.#isClosed = true
    await this.#writing
    this.#stopTimer?.()
    await this.#write()
  }

  #kindOf({ keyId, keyHash, operation, status, error = '' }: RequestNote, owner: string): Kind | undefined {
    const name = `${owner} ${operation} ${status} ${error}`
    const known = this.#kinds.get(name)
    if (known) return known
    if (this.#kinds.size >= kindsMax) return undefined
    if (keyId === undefined) {
      if (this.#refusedKinds >= refusedKindsMax) return undefined
      this.#refusedKinds += 1
    }
    const count = {
      key_id: keyId,
      key_hash: keyId === undefined ? keyHash : undefined,
      operation,
      status,
      error,
    }
    const kind = { count, requests: 0, sinceMs: 0, lines: 0 }
    this.#kinds.set(name, kind)
    return kind
  }

  /** Takes a line of the minute's allowance. */
  #mayHaveLine(kind: Kind, { accountId = '' }: RequestNote): boolean {
    if (kind.lines >= linesAMinute.alike || this.#lines.length >= linesWaitingMax) return false
    const taken = this.#linesOf.get(accountId) ?? 0
    if (taken >= (accountId === '' ? linesAMinute.refusedKeys : linesAMinute.account)) return false
    kind.lines += 1
    this.#linesOf.set(accountId, taken + 1)
    return true
  }

  #addLine({ count }: Kind, { requestId, target, durationMs }: RequestNote, nowMs: number): void {
    const shown = shownTarget(target, this.#options.parameters)
    this.#lines.push({
      line: { ...count, id: requestId, target: shown, duration_ms: Math.round(durationMs * 10) / 10 },
      atMs: nowMs - durationMs,
    })
  }

  #beginMinute(nowMs: number): void {
    this.#minuteEndsMs = nowMs + minuteMs
    this.#linesOf.clear()
    this.#refusedKinds = 0
    for (const [name, kind] of this.#kinds) {
      if (kind.requests === 0) this.#kinds.delete(name)
      else kind.lines = 0
    }
  }

  async #write(): Promise<void> {
    this.#stopTimer = null
    const { scheduler, onLost } = this.#options
    const beganMs = scheduler.nowMs()
    this.#writing = this.#writeOnce(beganMs)
    await this.#writing
    this.#writing = null
    if (this.#lost > 0) {
      onLost(this.#lost, 'too many kinds of requests in a minute')
      this.#lost = 0
    }
    if (this.#unwritten.length === 0 && this.#lines.length === 0) return
    if (this.#isClosed) return
    const restMs = Math.max(restMsMin, restShare * (scheduler.nowMs() - beganMs))
    this.#stopTimer = scheduler.after(restMs, () => void this.#write())
  }

  async #writeOnce(nowMs: number): Promise<void> {
    const kinds = this.#unwritten.splice(0, writtenAtATimeMax)
    const lines = this.#lines.splice(0, writtenAtATimeMax)
    if (kinds.length === 0 && lines.length === 0) return
    const counts = kinds.map((kind) => {
      const { requests, sinceMs } = kind
      kind.requests = 0
      return { ...kind.count, requests, age_ms: nowMs - sinceMs }
    })
    try {
      await this.#options.write(
        counts,
        lines.map(({ line, atMs }) => ({ ...line, age_ms: nowMs - atMs })),
      )
    } catch (error) {
      // Not again: what was written before the connection broke would be there twice.
      this.#options.onLost(
        counts.reduce((sum, { requests }) => sum + requests, 0),
        error,
      )
    }
  }
}
