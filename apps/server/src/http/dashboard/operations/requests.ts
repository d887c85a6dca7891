import { getKeyRecord } from '../../../features/metering/key-record-store.ts'
import {
  countLines,
  listPartialHours,
  listRequests as readRequests,
  sumRequests,
} from '../../../features/metering/request-report-store.ts'
import { forMembers } from '../operation.ts'
import { readPage } from '../read-page.ts'
import { PageQuery } from '../schemas/common.ts'
import { RequestFilter, RequestLog } from '../schemas/requests.ts'

export const listRequests = forMembers.read(
  'GET /requests',
  { query: PageQuery.extend(RequestFilter.shape), 200: RequestLog, errors: ['not_found'] },
  async ({ member, query }, { db, keptDays }) => {
    const accountId = member.account.id
    const { status, operation, key_id: keyId, ...position } = query
    if (keyId !== undefined) await getKeyRecord(db, accountId, keyId)
    const filter = { status, operation, keyId }
    const page = await readPage(
      position,
      (from) => readRequests(db, accountId, filter, from),
      ({ at, id }) => ({ updatedAt: at, id }),
    )
    const days = keptDays.requests
    const [newest, oldest] = [page.rows[0], page.rows.at(-1)]
    const [partialHours, outcomes, listed] = await Promise.all([
      newest && oldest ? listPartialHours(db, accountId, filter, { from: oldest.at, to: newest.at }) : [],
      sumRequests(db, accountId, filter, { days }),
      countLines(db, accountId, filter),
    ])
    return { data: page.rows, partial_hours: partialHours, outcomes, listed, days, ...page.next }
  },
)
