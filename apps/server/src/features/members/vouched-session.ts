import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import { z } from 'zod'

/** Begins a session of a user who has proven to us who they are: better-auth knows passwords and codes alone. */
export const vouchedSession = {
  id: 'vouched-session',
  endpoints: {
    beginVouchedSession: createAuthEndpoint(
      '/vouched-session',
      { method: 'POST', body: z.object({ userId: z.string() }) },
      async (ctx) => {
        const { internalAdapter } = ctx.context
        const user = await internalAdapter.findUserById(ctx.body.userId)
        if (!user) throw ctx.error('UNAUTHORIZED')
        const session = await internalAdapter.createSession(user.id)
        await setSessionCookie(ctx, { session, user })
        return {}
      },
    ),
  },
}
