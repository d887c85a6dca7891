/** CPU time of this process since it was taken, in ms: what else keeps the machine busy does not count. */
export function startCpuClock(): () => number {
  const before = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
}
