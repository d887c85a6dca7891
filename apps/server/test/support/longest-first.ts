import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Proofs of more than two minutes each, where two cores are busy. */
export const longestProofs = [
  'proofs/feed-orders.test.ts',
  'proofs/states.test.ts',
  'test/embedded.long.test.ts',
  'proofs/alert-crash.test.ts',
  'proofs/feed-crash.test.ts',
  'proofs/account-move.test.ts',
  'proofs/cells.test.ts',
  'proofs/cells-engines.test.ts',
  'test/backup.long.test.ts',
  'proofs/other-schema.test.ts',
  'test/abuse/embedded-files.long.test.ts',
  'test/commands-accounts.long.test.ts',
  'proofs/feed-replay.test.ts',
  'proofs/upgrade.test.ts',
  'test/feed-schedule.long.test.ts',
  'proofs/operations-walk.test.ts',
  'proofs/replica.test.ts',
]

/**
 * These files begin first, so that none of them is left alone at the end. A clean checkout knows no times of an earlier
 * run, by which Vitest would order them.
 * @throws Error where one is gone
 */
export function longestFirst(folder: string, names: readonly string[]): typeof BaseSequencer {
  const paths = names.map((name) => join(folder, name))
  const gone = paths.filter((path) => !existsSync(path))
  if (gone.length > 0) throw new Error(`Take out of the longest files: ${gone.join(', ')}`)
  const placeOf = ({ moduleId }: TestSpecification) => {
    const place = paths.indexOf(moduleId)
    return place === -1 ? paths.length : place
  }
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).sort((a, b) => placeOf(a) - placeOf(b))
    }
  }
}
