import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  PermissionDeniedError,
  Ratecard,
  RateLimitError,
} from '@ratecard/sdk'

// What can go wrong, and what to do about it.

const client = new Ratecard({
  hooks: { onRetry: ({ delayMs, error }) => console.error(`Once more in ${delayMs} ms: ${error.message}`) },
})

try {
  for await (const change of client.changes.list({ minSeverity: 5 })) {
    console.log(change.title)
  }
} catch (error) {
  // Passing trouble has been retried by now. `message` always says what to do.
  if (error instanceof RateLimitError) console.error(`Used up. More at ${error.topupUrl}`)
  else if (error instanceof PermissionDeniedError) console.error(`Not in your plan. See ${error.upgradeUrl}`)
  else if (error instanceof AuthenticationError) console.error('Set RATECARD_API_KEY to a valid key.')
  else if (error instanceof ConnectionError) console.error(`Not reached: ${error.message}`)
  else if (error instanceof ApiError)
    console.error(`${error.status} ${error.code}, request ${error.requestId}`)
  else throw error
}
