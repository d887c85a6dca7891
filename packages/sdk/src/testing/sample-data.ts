import type { FakeChange } from './changes.ts'
import type { FakePrice } from './prices.ts'
import samples from './samples.json' with { type: 'json' }

// What a fake holds when it is given nothing: a few rows of each kind, with every field that may be null both ways.
// The names are of real models; the figures are examples and not today's prices.

export const samplePrices: readonly FakePrice[] = samples.prices
export const sampleChanges = samples.changes as readonly FakeChange[]
