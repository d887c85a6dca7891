import { formatCount, nameAmount, writeOut } from '@ratecard/contract/wording'
import { sql } from 'kysely'
import type { Db, Trx } from '../../database/connect.ts'
import type { Mail } from '../../platform/mailer.ts'
import { countReports } from '../../features/price-reports/report-store.ts'
import { movedColumns } from '../amounts.ts'
import { toDay } from '../days.ts'
import { listHolds, type StoredHold } from '../publish/hold-store.ts'
import { readRefusals, readStreaks, type ShutOutSource, type Streak } from './refusals.ts'
import { boundedText, listText, verb } from '../changes/wording/text.ts'

/** What waits is told once it has waited so long: most of what one list moves another confirms, and loading six lists is one mail. */
const waitMinutes = 10
/** Servers are away for an hour now and then. */
const unreachableHours = 24
/** While a source is shut out, operators are reminded of it. */
const remindDays = 7
const mailLock = 7_310_006
const shownMax = 10

/** What was told, and that it was, so that no worker tells it again. */
export interface News {
  holds: number
  sources: string[]
}

/**
 * Takes what no mail told of yet: open holds, and sources that are shut out, of which the last mail may be a week old. It
 * counts as told with the commit of the caller's transaction, in which the mails are queued. Null: nothing is new, or
 * operators were mailed within a day, or another worker is at it.
 */
export async function takeNews(trx: Trx): Promise<News | null> {
  const { rows: free } = await sql<{ isMine: boolean; isDue: boolean }>`
    select pg_try_advisory_xact_lock(${sql.lit(mailLock)}) as "isMine",
      not exists (select from review_mails where told_at > ratecard_now() - interval '1 day') as "isDue"`.execute(
    trx,
  )
  if (!free[0]?.isMine || !free[0].isDue) return null
  const { rows: holds } = await sql`
    update feed_holds set told_at = ratecard_now()
    from feed_runs as run
    where run.id = feed_holds.run_id and feed_holds.state = 'open' and feed_holds.told_at is null
      and run.created_at <= ratecard_now() - make_interval(mins => ${waitMinutes})
    returning feed_holds.id`.execute(trx)
  const streaks = (await readStreaks(trx)).filter(isNews)
  const { rows: mails } = await sql<{ at: string | null }>`
    select max(told_at)::text as at from review_mails`.execute(trx)
  if (holds.length + streaks.length + (await countReports(trx, mails[0]?.at)) === 0) return null
  await trx
    .updateTable('feed_runs')
    .set({ told_at: sql`ratecard_now()` })
    .where('id', '=', sql<string>`any(${streaks.map(({ lastRun }) => lastRun)})`)
    .execute()
  const news = { holds: holds.length, sources: streaks.map(({ refusal }) => refusal.source) }
  await trx.insertInto('review_mails').values(news).execute()
  return news
}

function isNews({ seconds, refusedSeconds, toldSeconds }: Streak): boolean {
  if (toldSeconds !== null && toldSeconds < remindDays * 86_400) return false
  return (refusedSeconds ?? 0) >= waitMinutes * 60 || seconds >= unreachableHours * 3_600
}

/** The mail for an operator, of what waits when it is written; null: nothing does any more. */
export async function writeReviewMail(
  db: Db,
  { email, dashboardUrl, now }: { email: string; dashboardUrl: string; now: Date },
): Promise<Mail | null> {
  const holds = await listHolds(db, { state: 'open' })
  const refusals = await readRefusals(db)
  const reports = await countReports(db)
  if (holds.length + refusals.length + reports === 0) return null
  return {
    to: email,
    subject: `Ratecard: ${writeSubject(holds, refusals, reports)}`,
    text: [...holdLines(holds, now), ...refusalLines(refusals), ...reportLines(reports)].join('\n'),
    link: `${dashboardUrl}/review`,
  }
}

/** Numbers and names of sources alone: nothing that a file states. */
function writeSubject(
  holds: readonly StoredHold[],
  refusals: readonly ShutOutSource[],
  reports: number,
): string {
  const sources = refusals.map(({ source }) => source)
  return [
    ...(holds.length > 0
      ? [`${formatCount(holds.length, 'price move')} ${verb(holds.length, 'wait')} for you`]
      : []),
    ...(sources.length > 0 ? [`${listText(sources, 3)} could not be taken in`] : []),
    ...(reports > 0 ? [`readers reported ${formatCount(reports, 'price')}`] : []),
  ].join(', and ')
}

function holdLines(holds: readonly StoredHold[], now: Date): string[] {
  const [oldest] = holds
  if (!oldest) return []
  const days = Math.floor((now.getTime() - Date.parse(oldest.firstSeen)) / 86_400_000)
  const age = days < 1 ? 'since today' : `for ${formatCount(days, 'day')}`
  const more = holds.length - shownMax
  return [
    `${formatCount(holds.length, 'price move')} ${verb(holds.length, 'wait')} for an operator, the oldest ${age}. What was served before stays until then.`,
    '',
    ...holds.slice(0, shownMax).map(holdLine),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
}

function holdLine({ source, resource_id, reason, before, after }: StoredHold): string {
  const moves = movedColumns(before, after).map(
    (column) =>
      `${nameAmount(column).toLowerCase()} ${before[column] ?? 'unknown'} → ${after[column] ?? 'unknown'}`,
  )
  const what = moves.length === 0 ? 'rates beside the price' : moves.join(', ')
  return `- ${plainText(resource_id, 120)}, ${source}: ${what} (${writeOut(reason)})`
}

function refusalLines(refusals: readonly ShutOutSource[]): string[] {
  if (refusals.length === 0) return []
  return [
    '',
    'Sources that are not taken in. What they said last is served until they are:',
    ...refusals.flatMap(({ source, outcome, message, since, runs, loaded_at: loadedAt, to_do: toDo }) => {
      const why = message === null ? '' : `: ${plainText(message, 200)}`
      const loaded =
        loadedAt === null ? 'Nothing of it was taken in yet' : `Taken in last: ${toDay(loadedAt)}`
      return [
        `- ${source}, ${outcome}${why}`,
        `  Since ${toDay(since)}, ${formatCount(runs, 'run')}. ${loaded}. ${toDo}`,
      ]
    }),
  ]
}

/** Their number alone: what strangers wrote is read in the dashboard. */
function reportLines(reports: number): string[] {
  if (reports === 0) return []
  return ['', `Reports of readers that a price is wrong: ${reports}.`]
}

/** What a file states, on one line and without what a mail program would turn into a link. */
function plainText(text: string, max: number): string {
  return boundedText(text, max)
    .replaceAll('://', ': //')
    .replaceAll(/\bwww\./gi, 'www .')
}
