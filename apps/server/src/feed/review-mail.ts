import { sql } from 'kysely'
import type { Db, Trx } from '../database/connect.ts'
import { utcText } from '../database/keyset.ts'
import type { Mail } from '../platform/mailer.ts'
import { movedColumns } from './amounts.ts'
import { listHolds, type StoredHold } from './hold-store.ts'
import { columnNames } from './wording/moves.ts'
import { boundedText, count, listText, verb } from './wording/text.ts'

/** What waits is told once it has waited so long: most of what one list moves another confirms, and loading six lists is one mail. */
const waitMinutes = 10
const mailLock = 7_310_006
const shownMax = 10

/** What was told, and that it was, so that no worker tells it again. */
export interface News {
  holds: number
  sources: string[]
}

/**
 * Takes what no mail told of yet: open holds, and sources whose last run was held or refused. It counts as told with the
 * commit of the caller's transaction, in which the mails are queued. Null: nothing is new, or operators were mailed
 * within a day, or another worker is at it.
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
  const { rows: runs } = await sql<{ source: string }>`
    update feed_runs set told_at = ratecard_now()
    from feed_sources
    where feed_sources.last_run = feed_runs.id and outcome <> 'applied' and feed_runs.told_at is null
      and feed_runs.created_at <= ratecard_now() - make_interval(mins => ${waitMinutes})
    returning feed_runs.source`.execute(trx)
  if (holds.length === 0 && runs.length === 0) return null
  const news = { holds: holds.length, sources: runs.map(({ source }) => source).sort() }
  await trx.insertInto('review_mails').values(news).execute()
  return news
}

interface FailedRun {
  source: string
  outcome: string
  message: string | null
}

/** The mail for an operator, of what waits when it is written; null: nothing does any more. */
export async function writeReviewMail(
  db: Db,
  { email, dashboardUrl, now }: { email: string; dashboardUrl: string; now: Date },
): Promise<Mail | null> {
  const holds = await listHolds(db, { state: 'open' })
  const runs: FailedRun[] = await db
    .selectFrom('feed_sources')
    .innerJoin('feed_runs as run', 'run.id', 'feed_sources.last_run')
    .select(['feed_sources.source', 'outcome', 'message', utcText('run.observed_at').as('observed_at')])
    .where('outcome', '<>', 'applied')
    .orderBy('feed_sources.source')
    .execute()
  if (holds.length === 0 && runs.length === 0) return null
  return {
    to: email,
    subject: `Ratecard: ${subjectOf(holds, runs)}`,
    text: [...holdLines(holds, now), ...runLines(runs)].join('\n'),
    link: `${dashboardUrl}/review`,
  }
}

/** Numbers and names of sources alone: nothing that a file states. */
function subjectOf(holds: readonly StoredHold[], runs: readonly FailedRun[]): string {
  if (holds.length > 0) return `${count(holds.length, 'price move')} ${verb(holds.length, 'wait')} for you`
  const sources = runs.map(({ source }) => source)
  return `${listText(sources, 3)} could not be taken in`
}

function holdLines(holds: readonly StoredHold[], now: Date): string[] {
  const [oldest] = holds
  if (!oldest) return []
  const days = Math.floor((now.getTime() - Date.parse(oldest.firstSeen)) / 86_400_000)
  const age = days < 1 ? 'since today' : `for ${count(days, 'day')}`
  const more = holds.length - shownMax
  return [
    `${count(holds.length, 'price move')} ${verb(holds.length, 'wait')} for an operator, the oldest ${age}. What was served before stays until then.`,
    '',
    ...holds.slice(0, shownMax).map(holdLine),
    ...(more > 0 ? [`and ${more} more`] : []),
  ]
}

function holdLine({ source, resource_id, reason, before, after }: StoredHold): string {
  const moves = movedColumns(before, after).map(
    (column) => `${columnNames[column]} ${before[column] ?? 'unknown'} → ${after[column] ?? 'unknown'}`,
  )
  const what = moves.length === 0 ? 'rates beside the price' : moves.join(', ')
  return `- ${plainText(resource_id, 120)}, ${source}: ${what} (${reason.replaceAll('_', ' ')})`
}

function runLines(runs: readonly FailedRun[]): string[] {
  if (runs.length === 0) return []
  return [
    '',
    'Sources whose last run was not taken in:',
    ...runs.map(({ source, outcome, message }) => {
      const why = message === null ? '' : `: ${plainText(message, 200)}`
      return `- ${source} was ${outcome}${why}`
    }),
  ]
}

/** What a file states, on one line and without what a mail program would turn into a link. */
function plainText(text: string, max: number): string {
  return boundedText(text, max)
    .replaceAll('://', ': //')
    .replaceAll(/\bwww\./gi, 'www .')
}
