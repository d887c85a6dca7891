// A process of its own for a part of a measurement: its work delays no other part.

/** Does the jobs of the process that started this one, one at a time, and ends with it. */
export function takeJobs<Job>(run: (job: Job) => unknown): void {
  process.on('message', (job: Job) => {
    void Promise.resolve(run(job)).then((result) => process.send?.(result))
  })
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}

/** Milliseconds by the machine's clock, which all processes share. */
export function now(): number {
  return performance.timeOrigin + performance.now()
}
