/**
 * A Ratecard in memory for the tests of your own program. It needs no network and no msw; with msw it becomes handlers.
 * @module
 */
export { createFakeRatecard, type FakeRatecard, type FakeRatecardOptions } from './testing/fake.ts'
export type { FakeAccount, FakePlan } from './testing/accounts.ts'
export type { FakeDelivery, FakeEndpoint } from './testing/alerts.ts'
export type { FakeChange } from './testing/changes.ts'
export type { FakePrice } from './testing/prices.ts'
export type { FakeRequest } from './testing/log.ts'
export type { FakeFailure } from './testing/script.ts'
export type { FakeDeliveryOutcome } from './testing/webhooks.ts'
export type { FakeOperation } from './testing/rows.ts'
export type { MswHttp } from './testing/transport.ts'
export type { FakeFetch } from './testing/web-types.ts'
export type { PackGrant as FakePack } from './testing/meter.ts'
