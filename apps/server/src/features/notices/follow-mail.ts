import { formatCount } from '@ratecard/contract/wording'
import { companyName, modelName } from '@ratecard/contract/model-name'
import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import { utcText } from '../../database/keyset.ts'
import type { Mail } from '../../platform/mailer.ts'
import type { FollowMailRequest } from '../../queue/job-types.ts'
import { takeAttempt, type AttemptLimit } from '../members/attempt-store.ts'
import { requestMail, type MailQueue } from '../members/mail-queue.ts'
import { readFamilies } from '../../catalog/family-store.ts'
import { takeDay } from './decide-watched.ts'
import { renewFollowToken, type Followed } from './follower-store.ts'
import { mailHtml, mailText } from './mail-layout.ts'
import { plainText } from './plain-text.ts'
import type { NoticeMailOptions } from './write-mail.ts'

// One mail a day at most, of what was published the day before. A mail is written when it is sent: who has left by then
// is mailed nothing.

const questionsToMailbox: AttemptLimit = { what: 'questions to followers', max: 3, seconds: 86_400 }
const listedMax = 20

/**
 * Who follows which changes: those of a model with those of its variants. Corrections of our own records are no news of
 * a price.
 * @param email null: of all who follow
 */
async function selectFollowed(db: Db, email: string | null) {
  const { rows } = await sql<{ name: string }>`
    select distinct name from followers
    where kind = 'product' and confirmed_at is not null and email = coalesce(${email}, email)`.execute(db)
  const families = await readFamilies(
    db,
    rows.map(({ name }) => name),
  )
  return sql`
    followers f join changes c on f.confirmed_at <= c.created_at and f.email = coalesce(${email}, f.email)
      and (f.kind = 'all' or f.kind = 'vendor' and f.name = c.vendor or f.kind = 'product' and (
        f.name = c.product or (f.name, c.product) in (
          select name, product from jsonb_to_recordset(${JSON.stringify(families)}::jsonb) as family(name text, product text))))
      and c.category not in ('incident', 'metadata', 'correction')`
}

/** "all models", "models of OpenAI", "GPT-4o". */
export function nameFollowed({ kind, name }: Followed): string {
  if (kind === 'all') return 'all models'
  return kind === 'vendor' ? `models of ${companyName(name)}` : modelName(name)
}

/** Queues the mails about the day before, each once: in one transaction with the note that the day is told. */
export async function decideFollowed(
  trx: Trx,
  { canMail, queue, now }: { canMail: boolean; queue: MailQueue; now: Date },
): Promise<number> {
  const span = await takeDay(trx, 'followed')
  if (span === null || !canMail) return 0
  const { rows } = await sql<{ email: string }>`
    select distinct f.email from ${await selectFollowed(trx, null)}
    where c.created_at >= ${span.from}::timestamptz and c.created_at < ${span.to}::timestamptz`.execute(trx)
  for (const { email } of rows) await requestMail(trx, queue, { kind: 'followed', email, ...span }, { now })
  return rows.length
}

/** @returns null: there is nothing to mail to them, or not any more */
export async function writeFollowMail(
  db: Db,
  request: FollowMailRequest,
  options: NoticeMailOptions & { isFirst: boolean },
): Promise<Mail | null> {
  return request.kind === 'follow'
    ? writeQuestion(db, request.followerId, options)
    : writeDigest(db, request, options)
}

async function writeQuestion(
  db: Db,
  id: string,
  { publicUrl, isFirst }: NoticeMailOptions & { isFirst: boolean },
): Promise<Mail | null> {
  const asked = await renewFollowToken(db, id)
  if (!asked || (isFirst && (await takeAttempt(db, questionsToMailbox, asked.email)) > 0)) return null
  return {
    to: asked.email,
    subject: 'Confirm that you want AI price changes by email',
    text: `Somebody, hopefully you, asked Ratecard to email this address when prices of ${plainText(nameFollowed(asked), 200)} change: one email a day at most. Confirm it within 3 days on this page. If it was not you, do nothing, and you get no such mail.`,
    link: `${publicUrl}/follow/${asked.token}`,
  }
}

interface ToldChange {
  follower_id: string
  id: string
  title: string
  day: string
  total: number
}

async function writeDigest(
  db: Db,
  { email, from, to }: Extract<FollowMailRequest, { kind: 'followed' }>,
  { publicUrl, tokens }: NoticeMailOptions,
): Promise<Mail | null> {
  const { rows } = await sql<ToldChange>`
    select min(f.id) as follower_id, c.id, c.title, left(coalesce(c.effective_time, ${utcText('c.first_seen')}), 10) as day,
      (count(*) over ())::int as total
    from ${await selectFollowed(db, email)}
    where c.created_at >= ${from}::timestamptz and c.created_at < ${to}::timestamptz
    group by c.id order by c.severity desc, c.created_at desc, c.id limit ${listedMax}::int`.execute(db)
  const [first] = rows
  if (first === undefined) return null
  const { total, follower_id: userId } = first
  const items = rows.map(({ id, title, day }) => ({
    text: plainText(title, 200),
    detail: day,
    url: `${publicUrl}/changes/${encodeURIComponent(id)}`,
  }))
  const subject = total === 1 ? items[0]!.text : `${formatCount(total, 'AI price change')}: ${items[0]!.text}`
  const content = {
    heading: total === 1 ? items[0]!.text : formatCount(total, 'AI price change'),
    paragraphs: [],
    items,
    more: total - items.length,
    action: { label: 'All changes', url: `${publicUrl}/changes` },
    reason: 'You asked Ratecard for price changes by email.',
    settingsUrl: null,
    unsubscribe: {
      label: 'Unsubscribe',
      url: `${publicUrl}/unsubscribe/${tokens.make({ userId, kind: 'followed' })}`,
    },
  }
  return {
    to: email,
    subject,
    ...mailText(content),
    link: content.action.url,
    html: mailHtml({ ...content, preview: items.map(({ text }) => text).join(' · ') }),
    unsubscribeUrl: content.unsubscribe.url,
    // A mail that a lost worker had sent already is recognised as the same.
    id: `${userId}-${to.slice(0, 10)}`,
  }
}
