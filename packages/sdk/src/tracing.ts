import type { EndView, Hooks } from './hooks.ts'

/** What is known of a call from its start. The address is not: finding it may fail. */
export type StartedCall = Pick<EndView, 'callId' | 'operation' | 'method' | 'url'>

/**
 * The context object of the tracing channel `ratecard:call`: what names the call from its start, and all of an `EndView`
 * when it is over.
 */
export type CallTrace = Pick<EndView, 'callId' | 'operation' | 'method'> & Partial<EndView>

interface Channel {
  hasSubscribers?: boolean
  tracePromise<T>(work: () => Promise<T>, context: object): Promise<T>
}

interface Runtime {
  process?: {
    getBuiltinModule?: (name: string) => { tracingChannel?: (name: string) => Channel } | undefined
  }
}

let channel: Channel | undefined | null = null

/** Does the work, traced where the runtime has diagnostics channels with a subscriber. */
export function traced<T>(
  view: StartedCall,
  watchers: readonly Hooks[],
  work: (watchers: readonly Hooks[]) => Promise<T>,
): Promise<T> {
  if (channel === null) channel = openChannel()
  // Early versions do not know whether there is a subscriber.
  if (channel === undefined || channel.hasSubscribers === false) return work(watchers)
  // A copy, as subscribers keep things of their own on it.
  const trace: CallTrace = { ...view }
  const onEnd = (end: EndView) => void Object.assign(trace, end)
  return channel.tracePromise(() => work([...watchers, { onEnd }]), trace)
}

/** Loaded at run time: nothing is imported, and no bundler looks for it. */
function openChannel(): Channel | undefined {
  try {
    const { process } = globalThis as Runtime
    return process?.getBuiltinModule?.('node:diagnostics_channel')?.tracingChannel?.('ratecard:call')
  } catch {
    return undefined
  }
}
