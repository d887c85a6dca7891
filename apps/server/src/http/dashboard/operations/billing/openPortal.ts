import * as actions from '../../../../features/billing/actions.ts'
import { askProvider, requireProvider } from '../../ask-provider.ts'
import { actingOf } from '../../member.ts'
import type { Operation } from '../../operation.ts'

export const openPortal: Operation<'openPortal'> = async ({ member }, { db, billing, dashboardUrl }) => {
  const provider = requireProvider(billing)
  const url = await askProvider(actions.openPortal(db, actingOf(member), provider, `${dashboardUrl}/billing`))
  return { status: 201, body: { data: { url } } }
}
