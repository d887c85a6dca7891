import type { Request, RequestHandler } from 'express'
import type { Db } from '../../database/connect.ts'
import { takeAttempt } from '../../features/members/attempt-store.ts'
import { requestMail, type MailQueue } from '../../features/members/mail-queue.ts'
import { nameFollowed } from '../../features/notices/follow-mail.ts'
import { confirmFollow, findFollow, follow, type Followed } from '../../features/notices/follower-store.ts'
import type { Catalogue } from '../../features/prices/catalogue.ts'
import type { Clock } from '../../platform/clock.ts'
import { findNetwork } from '../../platform/network.ts'
import { followsAsked } from '../limits/index.ts'
import { receiveBody } from '../pipeline/read-body.ts'
import type { Gate } from '../pipeline/shed.ts'
import { html } from './html.ts'
import { sendPage, type CreatePage, type Page } from './layout.ts'

// Changes by mail without an account. What a stranger's form brings about is one mail that asks the owner of the
// mailbox, and the answer is the same for every address.

interface FollowOptions {
  services: { db: Db; clock: Clock; openAlertQueue: () => Promise<MailQueue>; canMail: boolean }
  gate: Gate
  readCatalogue: () => Promise<Catalogue>
  createPage: CreatePage
}

const bodyBytesMax = 4_096
const address = /^[^\s@<>"(),:;\\[\]]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/i
const emailCharsMax = 254

export function askToFollow({ services, gate, readCatalogue, createPage }: FollowOptions): RequestHandler {
  const { db, clock, openAlertQueue, canMail } = services
  return async (req, res) => {
    const say = (page: Page) => sendPage(res, page, { isPrivate: true })
    const form = new URLSearchParams((await receiveBody(req, res, gate, bodyBytesMax)).toString())
    const email = (form.get('email') ?? '').trim().toLowerCase()
    if (!canMail || isForeign(req))
      return say(refusedPage(createPage, 403, 'Use the field on one of our pages.'))
    if (email.length > emailCharsMax || !address.test(email))
      return say(refusedPage(createPage, 400, 'This is no email address. Go back and correct it.'))
    const what = readFollowed(form, await readCatalogue())
    if (what === null)
      return say(
        refusedPage(createPage, 400, 'There is no such model or maker. Go back and reload the page.'),
      )
    const seconds = await spend(db, findNetwork(req.ip ?? ''))
    if (seconds > 0) {
      res.setHeader('Retry-After', String(seconds))
      const text = `Too many requests. Try again in ${Math.ceil(seconds / 60)} minutes.`
      return say(refusedPage(createPage, 429, text))
    }
    const queue = await openAlertQueue()
    await db.transaction().execute(async (trx) => {
      const followerId = await follow(trx, email, what)
      if (followerId !== null)
        await requestMail(trx, queue, { kind: 'follow', followerId }, { now: clock.now() })
    })
    return say(
      createPage({
        title: 'Check your inbox',
        body: html`<h1>Check your inbox</h1>
          <p class="lead">
            We have mailed a link to ${email}, unless it follows ${nameFollowed(what)} already. Confirm it
            within 3 days, and you get an email on days on which prices change.
          </p>`,
      }),
    )
  }
}

/** A page of another site must not make its visitors ask. */
const isForeign = ({ headers }: Request): boolean =>
  ![undefined, 'same-origin', 'none'].includes(headers['sec-fetch-site'])

/** What is followed must be there: its name is mailed. */
function readFollowed(form: URLSearchParams, { products, vendors }: Catalogue): Followed | null {
  const [kind, name] = [form.get('kind'), form.get('name') ?? '']
  if (kind === 'all') return { kind, name: '' }
  if (kind === 'vendor') return vendors.has(name) ? { kind, name } : null
  return kind === 'product' && products.has(name) ? { kind, name } : null
}

/** @returns seconds until the next one is let in; 0: this one is */
async function spend(db: Db, network: string): Promise<number> {
  const ofNetwork = await takeAttempt(db, followsAsked.ofNetwork, network)
  return ofNetwork > 0 ? ofNetwork : takeAttempt(db, followsAsked.all, 'anybody')
}

type Handler = RequestHandler<{ token: string }>

/** The mailed link. Programs follow links to look at them, so only the press of a button confirms. */
export function confirmFollowPage(db: Db, createPage: CreatePage): Handler {
  return async (req, res) => {
    const what = await findFollow(db, req.params.token)
    const page = what
      ? createPage({
          title: 'Confirm',
          body: html`<h1>Email me when prices of ${nameFollowed(what)} change</h1>
            <p class="lead">One email a day at most. Each has a link that ends them.</p>
            <form class="ask" method="post"><button class="btn" type="submit">Confirm</button></form>`,
        })
      : refusedPage(createPage, 404, linkIsOver)
    return sendPage(res, page, { isPrivate: true })
  }
}

const linkIsOver = 'This link was used, has expired, or is incomplete. Ask for another one.'

export function confirmFollowing(db: Db, createPage: CreatePage): Handler {
  return async (req, res) => {
    const what = await confirmFollow(db, req.params.token)
    const page = what
      ? createPage({
          title: 'Confirmed',
          body: html`<h1>You follow ${nameFollowed(what)}</h1>
            <p class="lead">You get an email on days on which its prices change, from tomorrow on.</p>
            <p><a href="/changes">All changes</a></p>`,
        })
      : refusedPage(createPage, 404, linkIsOver)
    return sendPage(res, page, { isPrivate: true })
  }
}

function refusedPage(createPage: CreatePage, status: number, text: string): Page {
  return createPage({
    status,
    title: 'Not followed',
    body: html`<h1>That did not work</h1>
      <p class="lead">${text}</p>
      <p><a href="/changes">All changes</a></p>`,
  })
}
