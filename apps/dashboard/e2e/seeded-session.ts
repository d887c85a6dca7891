import { afterAll, beforeAll } from 'vitest'
import { authorityFile } from '../../server/test/support/certificates.ts'
import { startReceiver, type Receiver } from '../../server/test/support/receiver.ts'
import { seed, seededSettings, type Seeds } from './seed.ts'
import { useBrowserSession, type BrowserSession } from './session.ts'

export interface SeededSession {
  session: BrowserSession
  seeds: Seeds
  /** Where the demo account's endpoints are. */
  receiver: Receiver
}

/** A session whose account has a past, for the tests around. */
export function useSeededSession(): SeededSession {
  const seeded = {} as SeededSession
  beforeAll(async () => {
    seeded.receiver = await startReceiver()
  })
  afterAll(() => (seeded as Partial<SeededSession>).receiver?.close())
  seeded.session = useBrowserSession(() => seededSettings(authorityFile))
  beforeAll(async () => {
    seeded.seeds = await seed(seeded.session.product, seeded.receiver)
  })
  return seeded
}
