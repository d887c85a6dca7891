/** What an attacker did and got. */
export interface Tally {
  /** Connections that the server's system accepted. */
  opened: number
  /** Connections that it did not. */
  refused: number
  /** Connections that the server ended, by either half. */
  cut: number
  requests: number
  /** Answers by status. */
  statuses: Record<string, number>
  sentBytes: number
  receivedBytes: number
}

export function newTally(): Tally {
  return { opened: 0, refused: 0, cut: 0, requests: 0, statuses: {}, sentBytes: 0, receivedBytes: 0 }
}

export function countStatus(tally: Tally, status: string | number): void {
  tally.statuses[status] = (tally.statuses[status] ?? 0) + 1
}

/** Answers with one of these statuses, or with any. */
export function answers({ statuses }: Tally, ...wanted: readonly number[]): number {
  return Object.entries(statuses).reduce(
    (sum, [status, count]) => (wanted.length === 0 || wanted.includes(Number(status)) ? sum + count : sum),
    0,
  )
}
