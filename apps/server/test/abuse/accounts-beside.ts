import type { Feeling } from './attacker.ts'

// One account does its worst, and another works beside it.

/** The waiting times of a customer that sends one request after another during an attack, and at least ten. */
export async function feelBeside<T>(
  attack: Promise<T>,
  ask: () => Promise<{ status: number }>,
): Promise<{ attacked: T; feeling: Feeling }> {
  let isOver = false
  const attacked = attack.finally(() => (isOver = true))
  const statuses: number[] = []
  let worstMs = 0
  while (!isOver || statuses.length < 10) {
    const beganMs = performance.now()
    const { status } = await ask()
    worstMs = Math.max(worstMs, performance.now() - beganMs)
    statuses.push(status)
  }
  return { attacked: await attacked, feeling: { statuses, worstMs } }
}

/** So many at a time, each again and again, until there were `total` of them. Returns how many there were of each status. */
export async function flood(
  { total, atOnce }: { total: number; atOnce: number },
  send: (index: number) => Promise<{ status: number }>,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {}
  let sent = 0
  const work = async () => {
    while (sent < total) {
      sent += 1
      const { status } = await send(sent)
      counts[status] = (counts[status] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return counts
}
