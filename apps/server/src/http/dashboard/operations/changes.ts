import { listMoves } from '../../../features/changes/change-moves.ts'
import { findChange } from '../../../features/changes/change-store.ts'
import { readTerms } from '../../../features/entitlements/account-terms.ts'
import { readRecords } from '../../../catalog/price-records.ts'
import { changeDetails } from '../../html/change-details.ts'
import { DashboardError } from '../errors.ts'
import { data } from '../form.ts'
import { forMembers } from '../operation.ts'
import { ChangeDetails } from '../schemas/changes.ts'

/** What the public page of a change shows to who is signed in. */
export const getChangeDetails = forMembers.read(
  'GET /changes/{id}/details',
  { 200: data(ChangeDetails), errors: ['not_found'] },
  async ({ path, member }, { db }) => {
    const [change, { changeAccess }] = await Promise.all([
      findChange(db, path.id),
      readTerms(db, member.account.id),
    ])
    if (!change) throw new DashboardError('not_found', { message: 'There is no such change.' })
    if (changeAccess !== 'full') return { html: null }
    const ids = new Set(listMoves(change).map(({ resource_id }) => resource_id))
    const records = await readRecords(db, [...ids])
    const currencies = new Map([...records].map(([id, { currency }]) => [id, currency]))
    return { html: changeDetails(change, currencies).text }
  },
)
