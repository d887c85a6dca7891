import { readData } from './body.ts'
import { refuse, WebhookVerificationError } from './error.ts'
import type { Check, Passed, Suspects } from './pipeline.ts'
import { checkEvent, replayKey } from './pipeline.ts'
import type { VerifyOptions, WebhookBody, WebhookHeaders } from './types.ts'

/** What a verification came to: the event and which secret signed it, or why it must not be acted on. */
export type WebhookResult = ({ ok: true } & Passed) | { ok: false; error: WebhookVerificationError }

/** Answers the questions of a check. */
export type Drive = <Result>(check: Check<Result>) => Result | Promise<Result>

/** A whole verification in terms of one source of HMACs. */
export async function open(
  drive: Drive,
  body: WebhookBody,
  headers: WebhookHeaders,
  options: VerifyOptions,
  suspects?: Suspects,
): Promise<Passed> {
  const passed = await drive(checkEvent(await readData(body, options), headers, options, suspects))
  if (await options.seen?.(replayKey(passed.event), passed.event)) refuse('replayed')
  return passed
}

/** A refused delivery is a result; anything else is a mistake in the program and stays an exception. */
export function refused(error: unknown): { ok: false; error: WebhookVerificationError } {
  if (error instanceof WebhookVerificationError) return { ok: false, error }
  throw error
}
