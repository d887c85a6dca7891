import { rowCheck } from '../platform/row-check.ts'
import { admit } from './admit.ts'
import type { SourceReading } from './source-record.ts'
import { sources, type Source, type SourceInput, type SourceName } from './sources/index.ts'

/**
 * The rows of a source that can be served.
 * @throws UserError when the file is not the source's
 */
export async function readSource(name: SourceName, input: SourceInput): Promise<SourceReading> {
  const source: Source = sources[name]
  return admit(await source.read(input), await rowCheck())
}
