import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAlertQueue } from '../src/alert-queue.ts'
import { createUnsubscribeTokens } from '../src/features/notices/unsubscribe-token.ts'
import { createSecretBox, generateSecretsKey } from '../src/features/webhooks/secret-box.ts'
import { sendQueuedMails, type MailJobOptions } from '../src/jobs/mail.ts'
import { tellPeople } from '../src/jobs/notices.ts'
import { systemClock } from '../src/platform/clock.ts'
import { readConfig } from '../src/platform/config.ts'
import { createLogger } from '../src/platform/logger.ts'
import { createMailer, type Mailer } from '../src/platform/mailer.ts'
import type { Queue } from '../src/queue/queue.ts'
import { createCustomer } from './support/actors.ts'
import { spend } from './support/fixtures.ts'
import { createPerson } from './support/notices.ts'
import { useDatabase } from './support/postgres.ts'

// Notices on their whole way: found by workers, queued, and taken by a mail server.

const database = useDatabase()
const config = readConfig({})
const mails: string[] = []
/** What the server says to the next mails; then it takes them. */
let answers: number[] = []
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS', 'AUTH'],
  onRcptTo: (_address, _session, done) => {
    const responseCode = answers.shift()
    done(responseCode === undefined ? null : Object.assign(new Error('Not now'), { responseCode }))
  },
  onData: (stream, _session, done) => {
    const parts: Buffer[] = []
    stream.on('data', (bytes: Buffer) => parts.push(bytes))
    stream.on('end', () => {
      mails.push(Buffer.concat(parts).toString())
      done()
    })
  },
})
let queue: Queue
let sendMail: Mailer
const logger = createLogger('silent')

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  sendMail = createMailer({
    smtpUrl: `smtp://127.0.0.1:${port}`,
    from: 'Ratecard <no-reply@prices.example>',
    logger,
  })
  const databaseServer = {
    connectionString: database.url,
    embedded: null,
    revive: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
  queue = await openAlertQueue(config, databaseServer, logger, { supervise: false })
})
afterAll(async () => {
  await queue.stop()
  await new Promise<void>((resolve) => server.close(resolve))
})

const publicUrl = 'https://prices.example'
const tokens = createUnsubscribeTokens(createSecretBox([generateSecretsKey()]))
const worker = (changes: Partial<MailJobOptions> = {}): MailJobOptions => ({
  db: database.db,
  queue,
  sendMail,
  dashboardUrl: `${publicUrl}/dashboard`,
  signUpUrl: null,
  notices: { publicUrl, tokens, canMail: true },
  clock: systemClock,
  logger,
  ...changes,
})
const look = () => tellPeople({ db: database.db, queue, canMail: true, clock: systemClock, logger })
const header = (mail: string, name: string) =>
  new RegExp(`^${name}: *(.*)$`, 'im').exec(mail.replaceAll(/\r\n[ \t]+/g, ' '))?.[1]?.trim()
const outcomes = async () =>
  (await database.db.selectFrom('notices').select('outcome').orderBy('created_at').execute()).map(
    ({ outcome }) => outcome,
  )

test('many workers send one mail, also after the mail server was away and a worker was lost', async () => {
  const customer = await createCustomer(database.db)
  const userId = await createPerson(database.db, customer.accountId)
  await spend(database.db, customer, 90)
  await Promise.all([look(), look(), look()])
  answers = [451]
  await Promise.all([worker(), worker(), worker()].map(sendQueuedMails))
  expect(mails).toEqual([])
  expect(await outcomes()).toEqual(['waiting'])
  // Later looks find it queued, and add nothing.
  await sql`update notices set due_at = ratecard_now()`.execute(database.db)
  await look()
  const jobs = await sql`select from pgboss.job where name = 'mail'`.execute(database.db)
  expect(jobs.rows).toHaveLength(1)

  // This one is lost after it has sent the mail, and before it can say so.
  const { promise: lost, resolve: wake } = Promise.withResolvers<void>()
  const { promise: sent, resolve: say } = Promise.withResolvers<void>()
  await sql`update pgboss.job set start_after = now() where name = 'mail'`.execute(database.db)
  const first = sendQueuedMails(
    worker({
      sendMail: async (mail) => {
        await sendMail(mail)
        say()
        await lost
      },
    }),
  )
  await sent
  await sql`update pgboss.job set state = 'retry', start_after = now() where name = 'mail'`.execute(
    database.db,
  )
  expect(await sendQueuedMails(worker())).toBe(1)
  expect(await outcomes()).toEqual(['mailed'])
  wake()
  await first
  expect(await outcomes()).toEqual(['mailed'])
  await look()
  expect(await sendQueuedMails(worker())).toBe(0)
  // Twice, and the mailbox sees that it is the same.
  expect(mails).toHaveLength(2)
  expect(header(mails[0]!, 'Message-ID')).toMatch(/^<ntc_\w+@prices\.example>$/)
  expect(header(mails[1]!, 'Message-ID')).toBe(header(mails[0]!, 'Message-ID'))

  const token = tokens.make({ userId, kind: 'quota' })
  expect(header(mails[0]!, 'List-Unsubscribe')).toBe(`<${publicUrl}/unsubscribe/${token}>`)
  expect(header(mails[0]!, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click')
  expect(header(mails[0]!, 'Auto-Submitted')).toBe('auto-generated')
  expect(mails[0]).toMatch(/Content-Type: text\/plain[^]*Content-Type: text\/html/)
})

test('a mailbox that refuses ends the notice, and the next one is tried', async () => {
  await sql`truncate notices, usage_days`.execute(database.db)
  mails.length = 0
  const customer = await createCustomer(database.db)
  const userId = await createPerson(database.db, customer.accountId)
  await sql`insert into notices (user_id, account_id, event, period, facts, outcome, created_at)
    select ${userId}, ${customer.accountId}, 'packs_low', n::text, '{"units":100,"remaining":5}', 'waiting',
      ratecard_now() + n * interval '1 microsecond'
    from generate_series(1, 2) n`.execute(database.db)
  await look()
  answers = [550]
  await sendQueuedMails(worker())
  expect(await outcomes()).toEqual(['refused', 'waiting'])
  await look()
  expect(await sendQueuedMails(worker())).toBe(1)
  expect(await outcomes()).toEqual(['refused', 'mailed'])
  expect(mails).toHaveLength(1)
  const left = await sql`select from pgboss.job where name = 'mail'`.execute(database.db)
  expect(left.rows).toEqual([])
})
