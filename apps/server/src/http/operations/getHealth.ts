import { toInstant } from '../../platform/instant.ts'
import type { Operation, Services } from '../pipeline/operation.ts'

/** Says that the process answers. It does not ask the database: `/ready` on the admin port does. */
export const getHealth = ((_call: unknown, { clock }: Pick<Services, 'clock'>) =>
  Promise.resolve({
    status: 200,
    body: { status: 'ok', timestamp: toInstant(clock.now()) },
  })) satisfies Operation<'getHealth'>
