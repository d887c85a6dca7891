/** A second press of a button comes within this time, even where the first was answered at once. */
const secondPressMs = 600

interface Submission {
  key: string
  answer: Promise<Response>
  /** Null: it is under way. */
  doneAtMs: number | null
}

/**
 * A `fetch` that sends an action once. The same action again, while it is under way or in the moment after it, gets the
 * answer of the first: a double click makes one key. Reading is passed on, and another action in between ends it.
 * @param send what sends
 * @param nowMs a clock, in milliseconds
 */
export function oncePerPress(
  send: (request: Request) => Promise<Response>,
  nowMs: () => number = () => performance.now(),
): (request: Request) => Promise<Response> {
  let last: Submission | null = null
  return async (request) => {
    if (request.method === 'GET') return send(request)
    const key = `${request.method} ${request.url}\n${await request.clone().text()}`
    const isAgain = last?.key === key && (last.doneAtMs === null || nowMs() - last.doneAtMs < secondPressMs)
    if (!isAgain) last = submit(key, request)
    return (await last!.answer).clone()
  }

  function submit(key: string, request: Request): Submission {
    const submission: Submission = { key, answer: send(request), doneAtMs: null }
    submission.answer.then(
      ({ ok }) => {
        // What was refused may be tried again at once.
        if (ok) submission.doneAtMs = nowMs()
        else if (last === submission) last = null
      },
      () => {
        if (last === submission) last = null
      },
    )
    return submission
  }
}
