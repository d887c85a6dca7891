import { meBody } from '../../me-body.ts'
import type { Operation } from '../../operation.ts'

export const getMe: Operation<'getMe'> = async ({ member }, services) => ({
  status: 200,
  body: await meBody(member, services),
})
