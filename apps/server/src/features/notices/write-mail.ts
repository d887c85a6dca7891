import type { Db } from '../../database/connect.ts'
import type { Mail } from '../../platform/mailer.ts'
import { readTerms } from '../entitlements/account-terms.ts'
import { quoteName } from '../members/quote-name.ts'
import { mailHtml, mailText } from './mail-layout.ts'
import { kindOf, type Notice, type NoticeKind } from './notice.ts'
import { countMails, listWaiting, putOff, settleNotices } from './notice-store.ts'
import { readSettings } from './settings-store.ts'
import { readToldChanges } from './told-changes.ts'
import type { UnsubscribeTokens } from './unsubscribe-token.ts'
import { writeWords, type NoticeWords } from './words.ts'

// A mail is written when it is sent: what was switched off meanwhile, or is no longer theirs to know, is not mailed.

export interface NoticeMailOptions {
  /** Where the server is reached, without a trailing slash. */
  publicUrl: string
  tokens: UnsubscribeTokens
  /** Whether there is a mail server: what waits since there was one is not mailed without it. */
  canMail: boolean
}

/** A mail, and which notices it tells. */
export interface NoticeMail {
  mail: Mail
  noticeIds: string[]
  outcome: 'mailed' | 'collected'
}

/** Mails of one notice that a mailbox gets in 24 hours. What comes beyond is collected: one more mail. */
const singleMailsMax = 10
const collectedMax = 100
/** What is collected waits for what comes with it. */
const collectSeconds = 3_600

/** @returns the next mail for a user; null: nothing is due for them now */
export async function writeNoticeMail(
  db: Db,
  userId: string,
  options: NoticeMailOptions,
): Promise<NoticeMail | null> {
  const user = await db
    .selectFrom('auth_users')
    .select(['email', 'email_verified'])
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!user?.email_verified) return null
  const all = await listWaiting(db, userId, collectedMax)
  if (!options.canMail) {
    await settleAll(db, userId, all, 'not_mailed')
    return null
  }
  const waiting = await dropUnwanted(db, userId, all)
  const [oldest] = waiting
  if (oldest === undefined) return null
  const { single, collectedSeconds, waitedSeconds } = await countMails(db, userId)
  if (single < singleMailsMax) {
    const mail = await singleMail(db, userId, oldest, options)
    return { mail: { to: user.email, ...mail }, noticeIds: [oldest.id], outcome: 'mailed' }
  }
  const seconds = Math.max(collectedSeconds, collectSeconds - waitedSeconds)
  if (seconds > 0) {
    await putOff(db, userId, seconds)
    return null
  }
  const mail = collectedMail(userId, waiting, options)
  return { mail: { to: user.email, ...mail }, noticeIds: waiting.map(({ id }) => id), outcome: 'collected' }
}

/** Leaves out what the user has switched off, or may no longer know: owners alone are told of an account. */
async function dropUnwanted(db: Db, userId: string, waiting: Notice[]): Promise<Notice[]> {
  if (waiting.length === 0) return []
  const { off } = await readSettings(db, userId)
  const owned = await db
    .selectFrom('members')
    .select('account_id')
    .where('user_id', '=', userId)
    .where('role', '=', 'owner')
    .execute()
  const ownedIds = new Set(owned.map(({ account_id }) => account_id))
  const { wanted = [], unwanted = [] } = Object.groupBy(waiting, ({ event, account_id }) => {
    const kind = kindOf[event]
    const isTheirs = kind === 'watched' || ownedIds.has(account_id)
    return isTheirs && !off.includes(kind) ? 'wanted' : 'unwanted'
  })
  await settleAll(db, userId, unwanted, 'off')
  return wanted
}

async function settleAll(
  db: Db,
  userId: string,
  notices: readonly Notice[],
  outcome: 'off' | 'not_mailed',
): Promise<void> {
  if (notices.length === 0) return
  const ids = notices.map(({ id }) => id)
  await db.transaction().execute((trx) => settleNotices(trx, userId, ids, outcome))
}

type Unaddressed = Omit<Mail, 'to'>

async function singleMail(
  db: Db,
  userId: string,
  notice: Notice,
  options: NoticeMailOptions,
): Promise<Unaddressed> {
  const kind = kindOf[notice.event]
  const account = quoteName(notice.account_name)
  return writeBody({
    words: await noticeWords(db, notice),
    reason:
      kind === 'watched'
        ? `You watch this in the account ${account} on Ratecard.`
        : `You own the account ${account} on Ratecard.`,
    kind,
    userId,
    id: notice.id,
    options,
  })
}

/** A notice in words, with its changes as far as the plan of its account shows them. */
async function noticeWords(db: Db, notice: Notice): Promise<NoticeWords> {
  if (notice.event !== 'watched_change' && notice.event !== 'watched_digest') return writeWords(notice)
  const { changeAccess } = await readTerms(db, notice.account_id)
  return writeWords(notice, await readToldChanges(db, notice.facts.changes, changeAccess))
}

function collectedMail(userId: string, notices: readonly Notice[], options: NoticeMailOptions): Unaddressed {
  const items = notices.map((notice) => {
    const { subject, action } = writeWords(notice)
    return { text: subject, detail: `account ${quoteName(notice.account_name)}`, path: action.path }
  })
  const words: NoticeWords = {
    subject: `${items.length} notices of your accounts`,
    paragraphs: [
      `More happened than is mailed one by one: ${singleMailsMax} mails a day, and then this one.`,
    ],
    items,
    more: 0,
    action: { label: 'Open the dashboard', path: '/dashboard/overview' },
  }
  const reason = 'You own these accounts on Ratecard, or watch something in them.'
  return writeBody({ words, reason, kind: 'all', userId, id: notices[0]!.id, options })
}

const lessMail: Readonly<Record<NoticeKind | 'all', string>> = {
  quota: 'No more mails about daily quotas',
  packs: 'No more mails about packs',
  webhooks: 'No more mails about webhooks',
  keys: 'No more mails about keys that expire',
  watched: 'No more mails about the watch list',
  all: 'No more of these mails',
}

function writeBody({
  words: { subject, paragraphs, items, more, action },
  reason,
  kind,
  userId,
  id,
  options: { publicUrl, tokens },
}: {
  words: NoticeWords
  reason: string
  kind: NoticeKind | 'all'
  userId: string
  id: string
  options: NoticeMailOptions
}): Unaddressed {
  const buildUrl = (path: string) => `${publicUrl}${path}`
  const unsubscribeUrl = `${publicUrl}/unsubscribe/${tokens.make({ userId, kind })}`
  const content = {
    heading: subject,
    paragraphs,
    items: items.map(({ path, ...item }) => ({ ...item, url: buildUrl(path) })),
    more,
    action: { label: action.label, url: buildUrl(action.path) },
    reason,
    settingsUrl: buildUrl('/dashboard/notifications'),
    unsubscribe: { label: lessMail[kind], url: unsubscribeUrl },
  }
  return {
    subject,
    ...mailText(content),
    link: content.action.url,
    html: mailHtml({ ...content, preview: paragraphs[0] ?? '' }),
    unsubscribeUrl,
    // A mail that a lost worker had sent already is recognised as the same.
    id,
  }
}
