import type { Receiver } from './arguments.ts'
import type { Printer } from './output.ts'
import type { Delivery, Outcome } from './send.ts'

/** A secret that was made here must get to the receiver. One that somebody gave is not shown. */
export function secretLines({ secret, isSecretNew }: Receiver, print: Printer): void {
  if (!isSecretNew) return
  const text = `Your receiver verifies with this secret:\n\n  RATECARD_WEBHOOK_SECRET=${secret}\n`
  print.event({ event: 'secret', secret }, text)
}

export function deliveryLine(
  { id, attempt }: Delivery,
  titles: readonly string[],
  { status, isTaken, tookMs, said }: Outcome,
  print: Printer,
): void {
  const [first = '', ...more] = titles
  const what = more.length > 0 ? `${first}, and ${more.length} more` : first
  const time = new Date().toLocaleTimeString('en-GB')
  const answer = status === null ? said : `${status} in ${tookMs} ms`
  // What a receiver says to a delivery that it took is of no interest.
  const why = isTaken || status === null || said === '' ? '' : `\n          ${said}`
  print.event(
    { event: 'delivery', id, attempt, changes: titles.length, status, ms: tookMs, taken: isTaken, ...(!isTaken && { said }) },
    `${time}  ${isTaken ? '✓' : '✗'} ${answer}  ${what}${attempt > 1 ? ` (attempt ${attempt})` : ''}${why}`,
  ) // prettier-ignore
}
