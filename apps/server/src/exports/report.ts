/** Where the rows of other programs come from that a form keeps. */
interface Upstream {
  source: string
  url: string | null
  licence: string | null
  sha256: string
  /** Null: it comes with the program. */
  read_at: string | null
  rows: number
  /** Rows with prices of ours, the same ones included. */
  ours: number
  /** Rows that we do not know: they are as upstream has them. */
  kept: number
}

/** What a form could not hold, counted and named: beside each file as `.report.json`. */
export interface LossReport {
  form: string
  file: string
  /** The program that wrote it, with its version. */
  generator: string
  /** Rows of the file. */
  rows: number
  /** Resources of the list, and those of them that have a row. */
  resources: number
  held: number
  upstream: Upstream | null
  notes: string[]
  /** By reason: how often, and of which resources what. */
  losses: Record<string, { count: number; of: Record<string, string[]> }>
}

/** Gathers what a form cannot hold while it is written. */
export class Losses {
  readonly #byReason = new Map<string, Map<string, Set<string>>>()

  /** @param what of the resource; empty: all of it */
  add(reason: string, resourceId: string, what = ''): void {
    const of = this.#byReason.get(reason) ?? new Map<string, Set<string>>()
    const whats = of.get(resourceId) ?? new Set()
    this.#byReason.set(reason, of.set(resourceId, whats.add(what)))
  }

  toReport(): LossReport['losses'] {
    return Object.fromEntries(
      [...this.#byReason].map(([reason, of]) => [
        reason,
        {
          count: [...of.values()].reduce((sum, { size }) => sum + size, 0),
          of: Object.fromEntries([...of].map(([id, whats]) => [id, [...whats].filter(Boolean)])),
        },
      ]),
    )
  }
}

export function reportText(report: LossReport): string {
  return `${JSON.stringify(report, null, 2)}\n`
}
