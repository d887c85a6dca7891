import { agreementShare } from '../catalog/agreement.ts'

/**
 * The thresholds of the feed: when a reading is doubted, how much a change matters, and which alternatives are offered.
 * One table. None of it is read from the environment.
 *
 * "Measured" is over litellm's history of 2025-02-06 to 2026-07-24 (640 states, 534 days) unless it says otherwise.
 */
export interface FeedPolicy {
  guards: GuardPolicy
  /** Two sources agree when their amounts differ by at most this share of the larger one. */
  agreementShare: number
  /** Days before a dated price on which a reminder is published. */
  reminderDays: readonly number[]
  /** A dated price begins by itself only if its source was read at most so many days before. */
  scheduleAgeDaysMax: number
  severity: SeverityPolicy
  impact: ImpactPolicy
  alternatives: AlternativesPolicy
}

interface GuardPolicy {
  /** A move by this factor or more is large: a source alone must stand by it for `standHours`. */
  largeFactorMin: number
  standHours: number
  /** A move by this factor or more, an amount so far from its peers, is probably a mistake of the unit. */
  slipFactorMin: number
  /** By more than this factor a page alone moves no price. */
  pageFactorMax: number
  /** By more rows of one reading than this a page alone moves none. */
  pageRowsMax: number
  /** How long a source alone must stand by what looks like a mistake, or what another denies that has not looked since. */
  doubtDays: number
  /** How long rows must stand that move alike, vanish or come together. */
  bulkDays: number
  /** What was stated, served or new longer ago is no news. */
  newsDays: number
  /** When more rows move alike, vanish or come in a run, they wait as mistakes do. */
  alikeRowsMax: number
  /** New rows are a flood when they are more than `alikeRowsMax` and than this share of the list. */
  floodShareMax: number
  /** A removal is believed after so many runs, and the time of a large move. */
  removalRunsMin: number
  /** The median of a product's amount elsewhere needs so many platforms. */
  peerPlatformsMin: number
  /** Cached input, and output, cost at least this share of input. */
  cachedShareMin: number
  outputShareMin: number
  /** What every source has dropped leaves the served list after this time. */
  goneDays: number
  /** Amounts per million tokens outside are held. 0 is exempt. */
  usdPerMtokMin: number
  usdPerMtokMax: number
}

/** A severity that applies from a share of the old amount on: 0.25 is 25 %. */
export interface ShareBand {
  shareMin: number
  severity: number
}

/** Severities from 1 to 5. Alerts are sent from 3 on unless the operator says otherwise. */
export interface SeverityPolicy {
  /** The base, which nothing below raises: smaller moves, additions, corrections, metadata. */
  least: number
  /** The largest first. */
  rises: readonly ShareBand[]
  cuts: readonly ShareBand[]
  /** An amount is stated for the first time, or no longer. */
  appearance: number
  /** The maximum for a price move that one source alone has seen, and for one that others deny. */
  aloneMax: number
  deniedMax: number
  /** The maximum for a price of cached input alone, here and on a rate card. */
  cachedMax: number
  /** A price for requests above a number of tokens where there was none. */
  newThreshold: number
  /** The maximum for a rate card. */
  tierMax: number
  /** The nearest first. */
  retirements: readonly { daysMax: number; severity: number }[]
  /** Further ahead than the last of `retirements`. */
  retirementAhead: number
  retirementPassed: number
  /** Passed by more days than this: `least`. */
  retirementPassedDaysMax: number
  /** The maximum for a retirement that is put off. */
  postponedMax: number
  removal: Readonly<Record<RemovalKind, number>>
  /** The maximum for the removal of a row that states no price. */
  unpricedRemovalMax: number
  /** The maximum for a withdrawn announcement. */
  withdrawnMax: number
}

/**
 * `announced`: on or after the day that its source gave; `past`: long after it. Of the others `own` is a maker that no
 * longer sells its own model in any form, by the word of two independent sources or of its own list; `reported` is the
 * same by the word of one source. `other` is a cloud, or one of several names under which the maker sells it. `resale` is
 * a platform that is neither a maker's own nor a cloud.
 */
export type RemovalKind = 'announced' | 'past' | 'own' | 'reported' | 'other' | 'resale'

/** Impacts from 0 to 100. */
export interface ImpactPolicy {
  /** So many doublings of an amount are an impact of 100. */
  doublings: number
  riseWeight: number
  cutWeight: number
  /** For cached input, multiplied with the weight of its direction. */
  cachedWeight: number
  /** A retirement so many days ahead has no impact yet. The impact grows to 100 on the day. */
  migrationDays: number
  /** The impact of a retirement that has passed, put off or far ahead. */
  migrationMin: number
  removal: Readonly<Record<RemovalKind, number>>
}

interface AlternativesPolicy {
  /** Most alternatives of a change. */
  countMax: number
  /** Most platforms on which the same product is offered. */
  platformsMax: number
  /** Most models of the same class, which are offered where nothing nearer is. */
  classMax: number
  /** What costs more than so many times the present price says so. */
  dearFactorMin: number
  /** What costs more than so many times the present price is not offered, and of another model not even this. */
  factorMax: number
  classFactorMax: number
  /** The same product elsewhere for less than this share of the price is not offered. */
  cheapFactorMin: number
  /** What retires within so many days after the change itself is not offered. */
  livesDaysMin: number
  /** Tokens of input to one of output, when two prices are compared. */
  inputPerOutput: number
}

export const feedPolicy: FeedPolicy = {
  guards: {
    // Vendors do double and halve prices, and so do slips. Of 270 moves of input or output 170 are by less.
    largeFactorMin: 1.5,
    // 273 of 643 removals, and both mass removals, were undone within a day; slips are taken back as soon.
    standHours: 24,
    // 131 of 270 moves of input or output are by 10 or more: mistakes of the unit or their corrections. Of 9,533 served
    // prices 31 were by 8 or more from their product's median, and none of those looked at was true.
    slipFactorMin: 8,
    pageFactorMax: 2,
    // In the states of 2026 a vendor moved at most three rows of a page at once; a column read for another moves all.
    pageRowsMax: 3,
    // Mistakes of one list stand for ten days; true moves are to be told within two weeks.
    doubtDays: 11,
    bulkDays: 7,
    newsDays: 14,
    // Rows with a moved price a day are 27 at the 99th percentile, over all platforms; removals are 39.
    alikeRowsMax: 25,
    // The lists grow by a tenth in their largest week.
    floodShareMax: 0.3,
    removalRunsMin: 2,
    peerPlatformsMin: 3,
    // The cheapest true reads of a cache cost 0.0083 of their input (deepseek-v4-pro).
    cachedShareMin: 0.005,
    // Of 7,400 rows with both 5 are below it: one is true, and two sources state it.
    outputShareMin: 0.3,
    // A client that reads the list once a month sees that a price was gone.
    goneDays: 30,
    // The smallest price is 0.00013 per million tokens; above 1,000 are mistakes, up to 540,000 (litellm, 2026-08-01).
    usdPerMtokMin: 0.0001,
    usdPerMtokMax: 1_000,
  },
  // 183 of the 244 prices that litellm and models.dev both state agree within it.
  agreementShare,
  // A month to look for an alternative, a week to switch, a day to be ready.
  reminderDays: [30, 7, 1],
  // A rise that was called off stood for ten days in one list.
  scheduleAgeDaysMax: 3,

  severity: {
    least: 1,
    // Over the 139 plausible moves measured: 25 of severity 5, 16 of 4, 67 of 3, 15 of 2, 16 of 1. From 3 up that is
    // an alert in five days over all 122 platforms; at the makers' own, 20 in 534 days.
    rises: [
      { shareMin: 1, severity: 5 },
      { shareMin: 0.25, severity: 4 },
      { shareMin: 0.1, severity: 3 },
      { shareMin: 0.01, severity: 2 },
    ],
    // A cut raises no bill: the largest is worth a look, not a call at night.
    cuts: [
      { shareMin: 0.25, severity: 3 },
      { shareMin: 0.1, severity: 2 },
    ],
    // The first word of a rise is worth a look; a call at night needs a second one.
    aloneMax: 4,
    deniedMax: 3,
    // 854 of 1,866 edits of a price field state it for the first time, 257 remove it: the list is being completed.
    appearance: 2,
    // Cached input is a tenth of the input price (median of 694 rows); alone it moves few bills.
    cachedMax: 2,
    // It doubles the price of long requests, and only of those.
    newThreshold: 3,
    // Batch, priority and long-context prices concern only the users that chose them.
    tierMax: 3,
    retirements: [
      { daysMax: 30, severity: 5 },
      { daysMax: 90, severity: 4 },
    ],
    retirementAhead: 3,
    // Half of the dates are entered more than 31 days after they have passed: no early warning, and no news.
    retirementPassed: 2,
    retirementPassedDaysMax: 30,
    // A user that was warned has more time than expected.
    postponedMax: 2,
    // Of the 370 removals that lasted a day, 61 had a date. Of the others, 85 were the makers' own, in 11 runs, and 224
    // resellers', in 42. Resellers drop models routinely, and the model is sold elsewhere: 149 of 152 removals that
    // models.dev shows in 17 days are theirs. One list without a model is a reason to look: its keeper tidies up as well.
    removal: { announced: 2, past: 1, own: 5, reported: 3, other: 3, resale: 2 },
    // No bill depends on it.
    unpricedRemovalMax: 2,
    // A user that received the alert must learn of it. No action is needed.
    withdrawnMax: 3,
  },

  impact: {
    // Eight times the price is the maximum: from ten times on a move is held.
    doublings: 3,
    riseWeight: 1,
    // A cut is good news: a saving matters less than a loss.
    cutWeight: 0.6,
    // For the same reason as `cachedMax`.
    cachedWeight: 0.1,
    // 65 of the 68 days of retirement that were entered ahead lay within a year.
    migrationDays: 365,
    migrationMin: 20,
    removal: { announced: 20, past: 0, own: 100, reported: 60, other: 60, resale: 40 },
  },

  alternatives: {
    countMax: 5,
    platformsMax: 3,
    classMax: 2,
    dearFactorMin: 2,
    // As `peerFactorMax`: a price so far from the present one is a mistake, or another kind of model.
    factorMax: 8,
    classFactorMax: 2,
    // Sellers that ask a seventh of the maker's price do not sell the same thing (claude-haiku-4-5, 2026-07-02).
    cheapFactorMin: 0.2,
    // Who moves does not want to move again in the same quarter.
    livesDaysMin: 90,
    // The input and output of a chat, by the usual convention of price comparisons.
    inputPerOutput: 3,
  },
}
