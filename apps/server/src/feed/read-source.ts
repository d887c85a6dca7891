import { rowCheck } from '../platform/row-check.ts'
import { admit } from './admit.ts'
import type { SourceReading } from './source-record.ts'
import { sources, type Source, type SourceInput, type SourceName } from './sources/index.ts'

/**
 * What a source says, as far as it can be served.
 * @throws UserError when the file is not the source's
 */
export async function readSource(name: SourceName, input: SourceInput): Promise<SourceReading> {
  const source: Source = sources[name]
  return admit(await source.read(input), await rowCheck())
}
