// What one client, one account and all of them together may take of a process, so that enough is left for the others.
// Decision 008 says what is bounded where, and why. These are kept in each process; what must hold over all processes
// is counted in the database. What connections may take is in ../socket/connections.ts.

/** Requests that are worked on: far more than the database's connections serve in a second would time out. */
export const requestsAtWork = { api: 1_000, dashboard: 100, pages: 50 }

/** How many run at a time, how many wait for that, and how long. */
export const atATime = {
  /** They follow each other at the account's row, each with a connection of the ten. */
  apiWritesOfAccount: { max: 2, timeoutMs: 1_400, waitingMax: 100 },
  /** A page sends some five requests at a time. */
  ofSession: { max: 5, timeoutMs: 1_400, waitingMax: 50 },
  /** Of the four connections that all of the dashboard shares. */
  readsOfAccount: { max: 3, timeoutMs: 1_400, waitingMax: 50 },
  writesOfAccount: { max: 2, timeoutMs: 1_400, waitingMax: 50 },
  costlyReadsOfAccount: { max: 1, timeoutMs: 1_400, waitingMax: 10 },
  /** What waits for an external server holds no connection meanwhile. */
  foreignOfAccount: { max: 2, timeoutMs: 1_400, waitingMax: 10 },
  /** scrypt takes 50 ms of a core and 32 MB, on one of the four threads that also compress what customers get. */
  passwords: { max: 1, timeoutMs: 1_400, waitingMax: 20 },
  /** A decision judges all claims, as a run does, and takes a thread for it. */
  decisions: { max: 1, timeoutMs: 1_400, waitingMax: 5 },
}

/** What takes a password, a code, a signature or a mail, of an address: by the operation of the dashboard. */
const attempts = {
  signUp: 10,
  finishSignUp: 10,
  signIn: 10,
  showSecondFactor: 10,
  beginPasskeySignIn: 20,
  signInWithPasskey: 10,
  sendPasswordResetMail: 5,
  resetPassword: 10,
  checkMailedLink: 20,
  checkInvitation: 20,
}

export const perMinute = {
  dashboardReads: { user: 600, account: 3_000 },
  /** Some 30 ms of the database each, as much as many customers' pages. */
  dashboardCostlyReads: { user: 20, account: 60 },
  /** A person's limit is a third of the account's: one member cannot keep an owner from removing them. */
  dashboardWrites: { user: 60, account: 180 },
  /** Without a session, of a network: more than all attempts together. */
  openRequests: { person: 120, paymentProvider: 1_200 },
  attempts,
}

const bytesPerMib = 1_024 * 1_024

/** Mails about changes to who has no account, asked for by strangers. Each costs a row for three days. */
export const followsAsked = {
  ofNetwork: { what: 'follows asked for by a network', max: 10, seconds: 3_600 },
  all: { what: 'follows asked for by anybody', max: 60, seconds: 60 },
}

/** Prices that strangers say are wrong. `report-store.ts` says how many wait at most. */
export const reportsMade = {
  ofNetwork: { what: 'prices reported by a network', max: 5, seconds: 3_600 },
  all: { what: 'prices reported by anybody', max: 30, seconds: 60 },
}

/**
 * Copies of large files without a key: whole ones of a network, and what is being sent at a time. That takes
 * connections and bandwidth until its client has it.
 */
export const copies = { perMinute: 6, bytesMax: { network: 64 * bytesPerMib, all: 512 * bytesPerMib } }

/** Exports have some 200 KB, and many gateways behind one address ask for them when they start. */
export const copiesOfExports = { ...copies, perMinute: 120 }
/** Of exports that a process keeps compressed: all of them are some 6 MB. */
export const keptExportsBytesMax = 16 * bytesPerMib

/** A page that is kept costs 0.2 ms: 50 connections that ask for nothing else would take a core from customers. */
export const paceOfPages = {
  network: { perMinute: 100 * 60, burst: 100, waitMsMax: 2_000 },
  all: { perMinute: 300 * 60, burst: 300, waitMsMax: 2_000 },
}

/** Many programs ask at the same minute whether their file is still the newest: "no" takes 0.2 ms. */
export const paceOfExports = {
  network: { perMinute: 200 * 60, burst: 400, waitMsMax: 2_000 },
  all: { perMinute: 1_500 * 60, burst: 1_500, waitMsMax: 2_000 },
}

/** What the making of pages may cost. */
export interface PageLimits {
  /** Of all that are kept. */
  bytesMax: number
  /** Pages that wait to be made, and how long; then they are refused. */
  waitingMax: number
  waitMsMax: number
  /** Of one network: what it asks for beyond is refused at once, so that others wait for a few pages and not for all. */
  ofNetworkMax: number
  /**
   * After a page is made, none is for this many times as long. With 9, a crawler of all pages takes a tenth of one core at
   * most, and everybody else has the rest.
   */
  restFactor: number
  restMsMax: number
}

const waits = { waitMsMax: 4_000, restFactor: 9 }
export const makingOfPages: PageLimits = {
  ...{ ...waits, bytesMax: 24 * bytesPerMib, waitingMax: 60, ofNetworkMax: 4, restMsMax: 250 },
}
export const makingOfPictures: PageLimits = {
  ...{ ...waits, bytesMax: 12 * bytesPerMib, waitingMax: 20, ofNetworkMax: 3, restMsMax: 2_000 },
}

/**
 * Calls of the tools at /mcp. A call costs some milliseconds of a thread of its own, and an agent asks ten for one
 * question.
 */
export const tools = {
  bodyBytesMax: 16 * 1_024,
  pace: {
    network: { perMinute: 120, burst: 30, waitMsMax: 2_000 },
    all: { perMinute: 50 * 60, burst: 100, waitMsMax: 2_000 },
  },
  /** Answered one after the other; of a network some wait, so that others wait for a few and not for all. */
  answering: { waitingMax: 60, waitMsMax: 4_000, ofNetworkMax: 4 },
  /** Of one answer. A thread that takes longer is ended. */
  answerMsMax: 5_000,
}

/** How long the database is not asked again whether a list has moved. */
export const listVersionMs = 1_000
/** What shows a whole list is not made anew for so many times as long: an import of many small steps moves it often. */
export const restFactor = 10
