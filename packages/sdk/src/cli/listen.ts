import { setTimeout } from 'node:timers/promises'
import { alertText, buildAlerts } from '@ratecard/contract/alert'
import { Ratecard, type ListedChange } from '../index.ts'
import type { ListenCommand } from './arguments.ts'
import { deliveryLine, secretLines } from './lines.ts'
import type { Printer } from './output.ts'
import { send, type Delivery, type Outcome } from './send.ts'

const retryMsMax = 30_000
/** Of changes told in this run, so that one that moves later is not told again. */
const toldMax = 100_000

/**
 * Forwards changes as the service would. The position moves once the alerts of a round were answered, so that whoever
 * goes on from it misses nothing.
 * @returns whether the receiver took all of them
 */
export async function listen(command: ListenCommand, print: Printer, signal: AbortSignal): Promise<boolean> {
  const { receiver, filter, once, intervalMs, apiKey, baseUrl, allowHttp } = command
  const client = new Ratecard({ apiKey, baseUrl, allowHttp })
  // A wrong key shows now, and costs nothing.
  await client.usage.get({ signal })
  secretLines(receiver, print)
  const begin = typeof command.since === 'string' ? command.since : command.since.toISOString()
  print.event(
    { event: 'ready', forward_to: receiver.url.href, since: begin, interval_s: intervalMs / 1_000, once },
    readyText(command, begin),
  )
  const told = new Set<string>()
  let since: Date | string = command.since
  let areAllTaken = true
  try {
    for (;;) {
      let next: Date | string = since
      const changes: ListedChange[] = []
      const onCheckpoint = (checkpoint: string) => void (next = checkpoint)
      for await (const change of client.changes.poll({
        ...filter,
        since,
        once: true,
        signal,
        onCheckpoint,
      })) {
        if (!told.has(change.id)) changes.push(change)
      }
      for (const { event, changes: alerted } of buildAlerts(changes, readPublicUrl(command))) {
        const body = JSON.stringify(alerted)
        const outcome = await deliver(command, print, signal, {
          titles: alerted.map(({ title }) => title),
          textAt: (now) => alertText(event, body, now),
        })
        if (!outcome.isTaken) areAllTaken = false
      }
      for (const { id } of changes) if (told.size < toldMax) told.add(id)
      since = next
      if (once) return areAllTaken
      await setTimeout(intervalMs, undefined, { signal })
    }
  } finally {
    const position = typeof since === 'string' ? since : since.toISOString()
    if (!once) {
      print.event({ event: 'stopped', since: position }, `\nTo go on from here: --since '${position}'`)
    }
  }
}

let count = 0

/** Until somebody answers: a receiver under development starts again and again. */
async function deliver(
  { receiver, once }: ListenCommand,
  print: Printer,
  signal: AbortSignal,
  { titles, textAt }: { titles: readonly string[]; textAt: (now: Date) => string },
): Promise<Outcome> {
  const id = `dlv_local_${process.pid}_${(count += 1)}`
  for (let attempt = 1; ; attempt += 1) {
    const delivery: Delivery = { id, attempt, body: textAt(new Date()) }
    const outcome = await send(receiver, delivery, signal)
    deliveryLine(delivery, titles, outcome, print)
    if (!outcome.isAbsent || once) return outcome
    await setTimeout(Math.min(retryMsMax, 1_000 * 2 ** (attempt - 1)), undefined, { signal })
  }
}

/** Where people read about a change. The client has refused what is no address. */
function readPublicUrl({ baseUrl = process.env.RATECARD_BASE_URL ?? '' }: ListenCommand): string {
  return baseUrl.replace(/\/+$/, '')
}

function readyText({ receiver, once, intervalMs }: ListenCommand, begin: string): string {
  const what = once ? `Replaying changes since ${begin}` : `Listening for changes since ${begin}`
  const cost = Math.ceil(86_400_000 / intervalMs).toLocaleString('en-US')
  const rounds = once
    ? ''
    : `\nA round every ${intervalMs / 1_000} s uses ${cost} requests a day. Ctrl+C ends it.`
  return `${what}, to ${receiver.url.href}${rounds}\n`
}
