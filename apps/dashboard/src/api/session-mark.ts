import type { Schemas } from '../../contract/index.ts'

// The public pages are the same for everybody. By this mark their script knows that somebody is signed in here, and asks
// the server what they watch; of a stranger it asks nothing.

const name = 'ratecard.signed-in'

/** @param me null: nobody is signed in */
export function markSession(me: Pick<Schemas['Me'], 'account'> | null): void {
  try {
    if (me?.account) localStorage.setItem(name, '1')
    else localStorage.removeItem(name)
  } catch {
    // A browser without storage: the public pages show what strangers see.
  }
}
