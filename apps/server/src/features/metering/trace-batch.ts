import { isTracing, startSpan, type Span } from '../../platform/tracing.ts'
import type { Waiter } from './waiter.ts'

const linksMax = 32

/**
 * A batch is one statement for many requests. Its span is a part of the first of them that is recorded. It and the
 * others link to each other, so each trace leads to it. Null: none is.
 */
export function startBatchSpan(groups: readonly (readonly Waiter[])[]): Span | null {
  if (!isTracing()) return null
  const waiters = groups.flat()
  const [parent, ...others] = waiters.flatMap(({ span }) => (span?.isRecorded ? [span] : []))
  if (!parent) return null
  const linked = others.slice(0, linksMax)
  const span = startSpan({
    name: 'SELECT reserve_units',
    kind: 'client',
    parent,
    links: linked,
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': 'SELECT',
      'db.collection.name': 'reserve_units',
      'ratecard.batch.requests': waiters.length,
      'ratecard.batch.items': groups.length,
    },
  })
  if (span) for (const other of linked) other.link(span)
  return span
}
