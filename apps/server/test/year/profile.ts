// A year of 10,000 accounts, as it stands on its last day: what is still kept of it. Every figure is an assumption, and
// printed with the results.

export const usageDaysKept = 400

export interface PlanProfile {
  /** Of 10,000. */
  accounts: number
  keys: number
  /** Keys of an account that ended in the year. */
  endedKeys: number
  /** Days of the year on which a key is used. */
  activeDays: number
  webhooks: number
  /** Packs that an account buys in the year. */
  packs: number
  /** Lines of the request log, which holds the last 7 days and 10,000 lines at most. */
  lines: number
  /** Rows of its counts. */
  counts: number
  /** Actions in the audit log of the last 400 days. */
  actions: number
  members: number
}

export const profile: Record<'free' | 'developer' | 'scale' | 'team' | 'enterprise', PlanProfile> = {
  free: {
    ...{ accounts: 8_500, keys: 1, endedKeys: 1, activeDays: 80, webhooks: 0, packs: 0.1 },
    ...{ lines: 80, counts: 20, actions: 15, members: 1 },
  },
  developer: {
    ...{ accounts: 1_200, keys: 2, endedKeys: 3, activeDays: 250, webhooks: 1, packs: 1 },
    ...{ lines: 1_000, counts: 400, actions: 80, members: 2 },
  },
  scale: {
    ...{ accounts: 240, keys: 5, endedKeys: 10, activeDays: 330, webhooks: 3, packs: 2 },
    ...{ lines: 5_000, counts: 1_500, actions: 300, members: 4 },
  },
  team: {
    ...{ accounts: 50, keys: 8, endedKeys: 20, activeDays: 350, webhooks: 6, packs: 2 },
    ...{ lines: 10_000, counts: 3_000, actions: 800, members: 12 },
  },
  enterprise: {
    ...{ accounts: 10, keys: 10, endedKeys: 40, activeDays: 365, webhooks: 20, packs: 4 },
    ...{ lines: 10_000, counts: 5_000, actions: 3_000, members: 40 },
  },
}

export const feedProfile = {
  prices: 3_200,
  /** A day: published, of which each webhook is told of a third. */
  changes: 12,
  toldShare: 1 / 3,
  /** A day and source. */
  runs: 24,
  sources: 6,
  /** States of prices and of claims that a day adds. */
  priceVersions: 30,
  claimVersions: 120,
  /** Attempts of a delivery. */
  attempts: 1.15,
  deliveryDays: 30,
  exchangeDays: 7,
  noticeDays: 60,
  /** A person and day. */
  notices: 0.1,
}
