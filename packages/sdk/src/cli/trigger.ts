import { alertText } from '@ratecard/contract/alert'
import type { TriggerCommand } from './arguments.ts'
import { deliveryLine, secretLines } from './lines.ts'
import type { Printer } from './output.ts'
import { changesOf } from './samples.ts'
import { send, type Delivery } from './send.ts'

const hourMs = 3_600_000

/** @returns whether the receiver did what it must: take what is sound, and refuse what is not */
export async function trigger(
  { receiver, sample, fault, twice, slow }: TriggerCommand,
  print: Printer,
  signal: AbortSignal,
): Promise<boolean> {
  secretLines(receiver, print)
  const now = new Date()
  const changes = changesOf(sample, now)
  const at = fault === 'old' ? new Date(now.getTime() - hourMs) : now
  const delivery: Delivery = {
    id: `dlv_sample_${now.getTime().toString(36)}`,
    attempt: 1,
    body: alertText('change.alert', JSON.stringify(changes), at),
    isTest: sample === 'test',
    slow,
    ...(fault === 'bad-signature' && { secret: `${receiver.secret}, which is another one` }),
  }
  let isRight = true
  for (let attempt = 1; attempt <= (twice ? 2 : 1); attempt += 1) {
    const sent = { ...delivery, attempt }
    const outcome = await send(receiver, sent, signal)
    deliveryLine(sent, changes.map(({ title }) => title), outcome, print) // prettier-ignore
    if (outcome.status === null || outcome.isTaken !== (fault === null)) isRight = false
    if (fault !== null && outcome.isTaken) {
      const what = fault === 'old' ? 'an alert of an hour ago' : 'a forged alert'
      print.event(
        { event: 'wrong', fault },
        `Your receiver took ${what}. Verify each delivery: https://www.npmjs.com/package/@ratecard/webhooks`,
      )
    }
  }
  return isRight
}
