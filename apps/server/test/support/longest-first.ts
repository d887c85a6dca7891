import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

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
