import type { Logger } from './logger.ts'

const everyMs = 1_000

/** What came again since its last line. */
interface Run {
  repeats: number
  facts: object
}

const runs = new WeakMap<Logger, Map<string, Run>>()

/**
 * Logs what may repeat with every request: the first at once, then a line a second that says how often it came since, with
 * the facts of the last.
 * @param kind what is counted together
 */
export function logRepeated(
  logger: Logger,
  level: 'warn' | 'error',
  { kind, facts, message }: { kind: string; facts: object; message: string },
): void {
  const ofLogger = runs.get(logger) ?? new Map<string, Run>()
  runs.set(logger, ofLogger)
  const running = ofLogger.get(kind)
  if (running) {
    running.repeats += 1
    running.facts = facts
    return
  }
  logger[level](facts, message)
  const run: Run = { repeats: 0, facts }
  ofLogger.set(kind, run)
  const timer = setInterval(() => {
    if (run.repeats > 0) logger[level]({ ...run.facts, repeats: run.repeats }, message)
    else {
      clearInterval(timer)
      ofLogger.delete(kind)
    }
    run.repeats = 0
  }, everyMs).unref()
}
