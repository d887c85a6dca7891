import { listChangeFacets as readChangeFacets } from '../../../../features/changes/change-facets.ts'
import type { Operation } from '../../operation.ts'

export const listChangeFacets: Operation<'listChangeFacets'> = async (_call, { db }) => ({
  status: 200,
  body: { data: await readChangeFacets(db) },
})
