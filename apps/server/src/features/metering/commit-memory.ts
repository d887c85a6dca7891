import type { Loss } from './lost-commits.ts'

/** Where in the history of a cluster a database writes: each promotion begins a timeline. */
interface Timeline {
  /** The cluster. */
  system: string
  number: number
}

/** Half of the time for which the row of a batcher that counts nothing is kept (`deleteOldBatchers`). */
const rowKeptMsMin = 3.5 * 86_400_000

/**
 * What a batcher knows of its commits, over all of its connections. A database that comes back without one of them has
 * forgotten it, and others beside it.
 */
export class CommitMemory {
  readonly #batcher: string
  readonly #onLoss: (loss: Loss) => void
  #confirmed = 0
  #confirmedMs = 0
  /** The newest that was seen. */
  #timeline: Timeline | undefined
  /**
   * What is missing where the batcher is connected now. A primary that was replaced, and does not know it, lacks commits
   * too: it says nothing before a commit is confirmed there.
   */
  #missing: { losses: Loss[]; timeline: Timeline | undefined } | null = null

  constructor(batcher: string, onLoss: (loss: Loss) => void) {
    this.#batcher = batcher
    this.#onLoss = onLoss
  }

  /**
   * What the database has, before the next batch.
   * @param batch the last one; null: it knows of none
   * @param timeline undefined: it is not told
   */
  look(batch: number | null, timeline: Timeline | undefined): void {
    const losses: Loss[] = []
    const isOld =
      batch === null ? performance.now() - this.#confirmedMs < rowKeptMsMin : batch < this.#confirmed
    if (this.#confirmed > 0 && isOld)
      losses.push({
        what: `batch ${this.#confirmed} of the batcher ${this.#batcher} was confirmed, and the database had ${batch ?? 'none'}`,
        batches: this.#confirmed - (batch ?? 0),
      })
    const newest = this.#timeline
    if (timeline && timeline.system === newest?.system && timeline.number < newest.number)
      losses.push({
        what: `timeline ${newest.number} was in use, and ${timeline.number} is again`,
        batches: 0,
      })
    else if (timeline) this.#timeline = timeline
    const before = this.#missing
    const isSameHistory = timeline !== undefined && timeline.number === before?.timeline?.number
    // What was missing there is covered by a batch of which no answer came.
    if (isSameHistory && before.losses.length > losses.length) return
    this.#missing = { losses, timeline }
  }

  /** A batch was carried out there, and will be remembered. */
  confirm(batch: number): void {
    this.#confirmed = batch
    this.#confirmedMs = performance.now()
    if (!this.#missing) return
    for (const loss of this.#missing.losses) this.#onLoss(loss)
    this.#timeline = this.#missing.timeline ?? this.#timeline
    this.#missing = null
  }
}
