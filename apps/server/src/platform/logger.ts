import { hostname } from 'node:os'
import { pino, type DestinationStream, type Logger } from 'pino'

export type { Logger }

/**
 * The structured log. Callers never hand it a request, a header or a secret; `redact` is the second line of
 * defence for objects that carry one by accident.
 */
export function createLogger(level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { hostname: hostname() },
    timestamp: isoTime,
    redact: {
      paths: [
        'authorization',
        'secret',
        'key',
        'password',
        '*.authorization',
        '*.secret',
        '*.key',
        '*.password',
        '*.connectionString',
      ],
      censor: '[redacted]',
    },
  }
  return destination ? pino(options, destination) : pino(options)
}

let lastMs = 0
let lastTime = ''

/** The time as pino adds it to a line. Written once a millisecond: a busy server logs dozens of lines in one. */
function isoTime(): string {
  const nowMs = Date.now()
  if (nowMs !== lastMs) {
    lastMs = nowMs
    lastTime = `,"time":"${new Date(nowMs).toISOString()}"`
  }
  return lastTime
}
