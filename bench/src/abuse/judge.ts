import { percentile } from '../frame/figures.ts'

// What a customer was served, in numbers.

/** One request of the customer. Times are of the machine's clock, in milliseconds. */
export interface Sample {
  /** When it was to be sent, whether or not it could be: time spent in a queue counts. */
  intendedMs: number
  latencyMs: number
  /** A page asked for all the time on connections that stay, or anything else, on a connection of its own. */
  kind: 'page' | 'other'
  /** 0: no answer came. */
  status: number
  /** The operation, and why no answer came. */
  what: string
}

export const pagesPerSecond = 50

export type Latencies = ReturnType<typeof latenciesOf>
export type Service = ReturnType<typeof serviceOf>

export function serviceOf(samples: readonly Sample[]) {
  /** How many requests came to each end other than success. */
  const failures: Record<string, number> = {}
  for (const { status, what } of samples.filter(isFailure)) {
    const name = `${status || 'no answer'} ${what}`
    failures[name] = (failures[name] ?? 0) + 1
  }
  return {
    pages: latenciesOf(samples.filter(({ kind }) => kind === 'page')),
    others: latenciesOf(samples.filter(({ kind }) => kind === 'other')),
    failures,
  }
}

function isFailure({ status }: Sample): boolean {
  return status < 200 || status >= 300
}

function latenciesOf(samples: readonly Sample[]) {
  const latencies = samples.map(({ latencyMs }) => latencyMs)
  return {
    count: latencies.length,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    worstMs: Math.max(...latencies),
  }
}

export function within(samples: readonly Sample[], fromMs: number, toMs: number): Sample[] {
  return samples.filter(({ intendedMs }) => intendedMs >= fromMs && intendedMs < toMs)
}

/** Those that were also answered before the end: what came after it is not what they waited for. */
export function doneWithin(samples: readonly Sample[], fromMs: number, toMs: number): Sample[] {
  return within(samples, fromMs, toMs).filter(({ intendedMs, latencyMs }) => intendedMs + latencyMs <= toMs)
}

const windowMs = 1_000
const windowStepMs = 100
/** Of a window's pages: chance makes one late now and then, with nobody attacking. */
const lateMax = 1

/**
 * How long after an attack the first second begins in which the customer is served as before: every request answered
 * with success, and pages within the limit. Null: not yet. A request that is still waiting has no sample.
 */
export function recoveryMs(
  samples: readonly Sample[],
  { endedMs, nowMs, limitMs }: { endedMs: number; nowMs: number; limitMs: number },
): number | null {
  for (let fromMs = endedMs; fromMs + windowMs <= nowMs; fromMs += windowStepMs) {
    const window = within(samples, fromMs, fromMs + windowMs)
    const pages = window.filter(({ kind }) => kind === 'page')
    const late = pages.filter(({ latencyMs }) => latencyMs > limitMs)
    // A window may begin a moment before or after a page is due.
    const isWhole = pages.length >= pagesPerSecond - 1
    if (isWhole && late.length <= lateMax && !window.some(isFailure)) return fromMs - endedMs
  }
  return null
}
