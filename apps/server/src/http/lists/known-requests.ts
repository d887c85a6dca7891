import { meteredAs } from '@ratecard/contract/plans'
import { LRUCache } from 'lru-cache'
import { plansWhere, type PlanTerms } from '../../features/entitlements/plans.ts'
import type { MeteredEndpoint } from '../../features/metering/unit-store.ts'
import type { ListOperationId, ListQuery } from './list-query.ts'

/** What a known target asks for. */
export interface KnownRequest {
  operation: ListOperationId
  endpoint: MeteredEndpoint
  /** Of the list. */
  key: string
  /** Bits of the plans to which this list is answered. */
  plans: number
}

/** Two bytes a character, and the rest. */
const targetsBytesMax = 8 * 1_024 * 1_024
const overheadBytes = 300

/**
 * What a `GET` asks for is decided by its target alone. So a target that has passed every check once, and was answered,
 * is known by its spelling.
 */
export class KnownRequests {
  readonly #targets = new LRUCache<string, KnownRequest>({ maxSize: targetsBytesMax })

  get bytes(): number {
    return this.#targets.calculatedSize
  }

  find(target: string): KnownRequest | undefined {
    return this.#targets.get(target)
  }

  remember(
    target: string,
    { operation, key, access }: Pick<ListQuery, 'operation' | 'key'> & { access: PlanTerms['changeAccess'] },
  ): void {
    // Only the reservation says which plans the caller has, and of several the most generous counts: an account with
    // any plan that shows changes in full is answered so. The app serves an account without one.
    const isOfAccess = operation === 'listChanges'
    if (isOfAccess && access !== 'full') return
    const plans = plansWhere(
      ({ operations, changeAccess }) => operations.has(operation) && (!isOfAccess || changeAccess === access),
    )
    const known = { operation, endpoint: meteredAs[operation], key, plans }
    this.#targets.set(target, known, { size: 2 * (target.length + key.length) + overheadBytes })
  }
}
