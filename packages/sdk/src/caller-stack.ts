type Above = (...args: never[]) => unknown

const queueFrames = /\n +at .*(processTicksAndRejections|node:internal\/(process|timers)).*/g

/**
 * Lets the stack of an error begin where the caller waits for `above`, which must be running: the frames in between are
 * ours and say nothing that the message does not. Where the engine does not know the caller, the stack stays as it was. It
 * costs nothing unless a call fails: taking a stack when a call begins would cost a twentieth of the call.
 */
export function showCaller(error: unknown, above: Above): void {
  const { captureStackTrace } = Error as { captureStackTrace?: (error: Error, above: Above) => void }
  if (!(error instanceof Error) || captureStackTrace === undefined) return
  const before = error.stack
  captureStackTrace(error, above)
  const stack = error.stack?.replaceAll(queueFrames, '')
  const found = stack?.includes('\n    at ') ? stack : before
  if (found !== undefined) error.stack = found
}

/** Waits, and lets a failure name the caller. V8 looks no further than a promise with several awaiters; this has its own. */
export async function waitFor<T>(promise: PromiseLike<T>): Promise<T> {
  try {
    return await promise
  } catch (error) {
    showCaller(error, waitFor)
    throw error
  }
}
