import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { writeReviewMail } from '../src/ingest/review/review-mail.ts'
import { recordRefusal } from '../src/ingest/run/run-feed.ts'
import { tellOperators } from '../src/jobs/review-mail.ts'
import { systemClock } from '../src/platform/clock.ts'
import { createLogger } from '../src/platform/logger.ts'
import type { JobData, QueueName } from '../src/queue/job-types.ts'
import { useDatabaseClock } from './support/database-clock.ts'
import { createFeeder, litellmFile, manyModels } from './support/feed-runs.ts'
import { useDatabase } from './support/postgres.ts'

// Operators are mailed when something waits: once, whatever restarts and however many workers there are.

const database = useDatabase()
const clock = useDatabaseClock(database)
const feed = createFeeder(() => database.db)
const operators = ['ada@prices.example', 'grace@prices.example']
const dashboardUrl = 'https://prices.example/dashboard'

let queued: JobData['mail'][] = []
const queue = {
  enqueue: <Name extends QueueName>(_db: unknown, _name: Name, jobs: readonly { data: JobData[Name] }[]) => {
    queued.push(...jobs.map(({ data }) => data as JobData['mail']))
    return Promise.resolve()
  },
}
const tell = () =>
  tellOperators({
    db: database.db,
    queue,
    operators,
    clock: systemClock,
    logger: createLogger('silent'),
  })
const write = (now: string) =>
  writeReviewMail(database.db, { email: operators[0]!, dashboardUrl, now: new Date(now) })

const rows = (input: number) => ({ ...manyModels(12), alpha: { input, output: 8 } })

beforeEach(async () => {
  queued = []
  await sql`truncate prices, price_versions, rate_cards, changes, change_alternatives, change_evidence, feed_runs, feed_sources,
    feed_claims, claim_versions, price_standings, feed_holds, scheduled_prices, review_mails`.execute(
    database.db,
  )
  await clock.stand('2026-03-02T00:00:00Z')
  await feed('2026-03-01T00:00:00Z', litellmFile(rows(2)))
})

test('what waits is told each operator once, after a while, by one of two workers', async () => {
  expect(await tell()).toBe(0)
  await feed('2026-03-02T00:00:00Z', litellmFile(rows(40)))
  expect(await tell()).toBe(0)
  await clock.stand('2026-03-02T00:11:00Z')
  const sent = await Promise.all([tell(), tell(), tell()])
  expect(sent.toSorted()).toEqual([0, 0, 2])
  expect(queued.map((request) => request.kind === 'review' && request.email)).toEqual(operators)
  // The same is no news the next day; a restart knows it from the database.
  await clock.stand('2026-03-04T00:00:00Z')
  expect(await tell()).toBe(0)
})

test('there is one mail a day at most', async () => {
  await feed('2026-03-02T00:00:00Z', litellmFile(rows(40)))
  await clock.stand('2026-03-02T00:11:00Z')
  expect(await tell()).toBe(2)
  await feed('2026-03-02T00:11:00Z', litellmFile({ ...rows(40), m0: { input: 200, output: 8 } }))
  await clock.stand('2026-03-02T23:00:00Z')
  expect(await tell()).toBe(0)
  await clock.stand('2026-03-03T00:12:00Z')
  expect(await tell()).toBe(2)
})

test('a run that was refused is told, unless a later one was taken in', async () => {
  const refused = (at: string) => expect(feed(at, '{}')).rejects.toThrow('This is not a LiteLLM price file')
  await refused('2026-03-02T00:00:00Z')
  await feed('2026-03-02T00:01:00Z', litellmFile(rows(2)))
  await clock.stand('2026-03-02T00:12:00Z')
  expect(await tell()).toBe(0)

  await refused('2026-03-02T00:02:00Z')
  await clock.stand('2026-03-02T00:30:00Z')
  expect(await tell()).toBe(2)
  expect(await write('2026-03-02T00:30:00Z')).toMatchObject({
    subject: 'Ratecard: litellm could not be taken in',
    text: [
      '',
      'Sources that are not taken in. What they said last is served until they are:',
      '- litellm, refused: This is not a LiteLLM price file: none of its entries is a model.',
      '  Since 2026-03-02, 1 run. Taken in last: 2026-03-02. No option takes such a file. Wait until its publisher mends it, or take in a whole one by hand.',
    ].join('\n'),
    link: `${dashboardUrl}/review`,
  })
})

test('of a source that stays refused operators are reminded each week, until it is taken in', async () => {
  const at = (date: number, time = '00:00:00') => `2026-03-${String(date).padStart(2, '0')}T${time}Z`
  const sent: number[] = []
  for (let date = 2; date <= 17; date += 1) {
    await clock.stand(at(date))
    await expect(feed(at(date), '{}')).rejects.toThrow()
    await clock.stand(at(date, '00:11:00'))
    if ((await tell()) > 0) sent.push(date)
  }
  expect(sent).toEqual([2, 9, 16])
  expect((await write(at(17)))?.text).toContain('Since 2026-03-02, 16 runs. Taken in last: 2026-03-01.')

  // A refusal after a good run is another one.
  await clock.stand(at(18))
  await feed(at(18), litellmFile(rows(2)))
  expect([await tell(), await write(at(18))]).toEqual([0, null])
  await clock.stand(at(18, '01:00:00'))
  await expect(feed(at(18, '01:00:00'), '{}')).rejects.toThrow()
  await clock.stand(at(18, '01:11:00'))
  expect(await tell()).toBe(2)
})

test('a source that cannot be reached is told after a day, and its streak is one with refusals', async () => {
  const unreachable = (at: string) =>
    recordRefusal(database.db, 'litellm', 'Cannot read https://x.example: it answers 503.', {
      at,
      outcome: 'unreachable',
    })
  await unreachable('2026-03-02T00:00:00Z')
  await clock.stand('2026-03-02T23:00:00Z')
  await unreachable('2026-03-02T23:00:00Z')
  expect(await tell()).toBe(0)
  await clock.stand('2026-03-03T00:00:00Z')
  expect(await tell()).toBe(2)
  const mail = await write('2026-03-03T00:00:00Z')
  expect(mail?.text).toContain('- litellm, unreachable: Cannot read https: //x.example: it answers 503.')
  await expect(feed('2026-03-03T00:00:00Z', '{}')).rejects.toThrow()
  await clock.stand('2026-03-04T12:00:00Z')
  expect(await tell()).toBe(0)
  expect((await write('2026-03-04T12:00:00Z'))?.text).toContain('Since 2026-03-02, 3 runs.')
})

test('the subject names moves and sources', async () => {
  await feed('2026-03-02T00:00:00Z', litellmFile(rows(40)))
  await expect(feed('2026-03-02T00:00:00Z', '[]')).rejects.toThrow()
  expect((await write('2026-03-02T00:00:00Z'))?.subject).toBe(
    'Ratecard: 1 price move waits for you, and litellm could not be taken in',
  )
})

test('the mail says how many wait, for how long, and which; what a file states is no link in it', async () => {
  const named = 'see https://evil.example'
  const many = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`m${index}`, 40 + index]))
  await feed('2026-03-02T00:00:00Z', litellmFile({ ...rows(2), [named]: { input: 1, output: 8 } }))
  await feed(
    '2026-03-02T00:00:01Z',
    litellmFile({
      ...Object.fromEntries(Object.entries(many).map(([name, input]) => [name, { input, output: 8 }])),
      alpha: { input: 2, output: 8 },
      [named]: { input: 0.01, output: 8 },
    }),
  )
  const mail = await write('2026-03-05T01:00:00Z')
  expect(mail?.subject).toBe('Ratecard: 13 price moves wait for you')
  const lines = mail?.text.split('\n') ?? []
  expect(lines[0]).toBe(
    '13 price moves wait for an operator, the oldest for 3 days. What was served before stays until then.',
  )
  expect(lines).toContain('- acme:m0, litellm: input 2 → 40 (factor)')
  expect(lines.at(-1)).toBe('and 3 more')
  expect(mail?.text).not.toContain('://')
})

test('when everything is decided before it is written, there is no mail', async () => {
  await feed('2026-03-02T00:00:00Z', litellmFile(rows(40)))
  await clock.stand('2026-03-02T00:11:00Z')
  expect(await tell()).toBe(2)
  await database.db.updateTable('feed_holds').set({ state: 'withdrawn' }).execute()
  expect(await write('2026-03-02T00:12:00Z')).toBeNull()
})

test('without operators nothing is told, and nothing counts as told', async () => {
  await feed('2026-03-02T00:00:00Z', litellmFile(rows(40)))
  await clock.stand('2026-03-02T00:11:00Z')
  const nobody = { db: database.db, queue, operators: [], clock: systemClock, logger: createLogger('silent') }
  expect(await tellOperators(nobody)).toBe(0)
  expect(await tell()).toBe(2)
})
