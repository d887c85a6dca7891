/**
 * How long a request may wait for the database, by what it waits for. A request that cannot be served is to be answered
 * with 503 within 2.5 s: no wait is longer, and a database that is away or stuck is noticed at the first of them.
 */
export const budgets = {
  /** A connection. */
  connectMs: 2_000,
  /** A statement that a reader waits for. */
  statementMs: 2_000,
  /** What the program waits beyond the server's own time-out, which ends a statement unless the server is silent. */
  silenceMarginMs: 200,
  /** A lock that another transaction holds. */
  lockMs: 1_000,
  /** A unit, from the request for it to the verdict. */
  unitMs: 2_000,
  /** A statement that reserves a batch of units. */
  batchStatementMs: 1_500,
  /**
   * A counter that another transaction holds. Long beside what another batch or a write holds it, a few milliseconds;
   * short beside what all requests of the batch may wait.
   */
  batchLockMs: 100,
  /** A list from the replica. When it takes longer, the database is read, which may take as long again. */
  replicaMs: 500,
} as const
