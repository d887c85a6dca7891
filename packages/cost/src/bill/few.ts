import type { Vector } from './amount.ts'

/**
 * Whether up to four of the calls come to exactly these tokens. So few of so many numbers hardly meet them by chance: whoever
 * is told that requests are missing can find them.
 */
export function isSumOfFew(calls: readonly Vector[], wanted: Vector): boolean {
  const components = [...wanted.keys()]
  const own = calls.filter((call) =>
    [...call].every(([component, count]) => count === 0n || wanted.has(component)),
  )
  const rows = own.map((call) => components.map((component) => Number(call.get(component) ?? 0n)))
  const target = components.map((component) => Number(wanted.get(component)))
  const less = (sum: readonly number[]) => target.map((count, at) => count - sum[at]!).join()
  const whole = target.join()
  const pairs = new Map<string, readonly [number, number]>()
  for (const [i, row] of rows.entries()) {
    if (row.join() === whole) return true
    for (let j = 0; j < i; j += 1) pairs.set(plus(row, rows[j]!).join(), [i, j])
  }
  if (pairs.has(whole)) return true
  for (const [i, row] of rows.entries()) if (pairs.get(less(row))?.includes(i) === false) return true
  for (const [i, j] of pairs.values()) {
    const rest = pairs.get(less(plus(rows[i]!, rows[j]!)))
    if (rest !== undefined && !rest.includes(i) && !rest.includes(j)) return true
  }
  return false
}

/** More calls than this are not looked through, since some of so many would meet anything. */
export const searchedMax = 200

function plus(a: readonly number[], b: readonly number[]): number[] {
  return a.map((count, at) => count + b[at]!)
}
