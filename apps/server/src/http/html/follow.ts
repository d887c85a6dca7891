import type { RequestHandler } from 'express'
import type { Db } from '../../database/connect.ts'
import { requestMail, type MailQueue } from '../../features/members/mail-queue.ts'
import { nameFollowed } from '../../features/notices/follow-mail.ts'
import { confirmFollow, findFollow, follow, type Followed } from '../../features/notices/follower-store.ts'
import type { Catalogue } from '../../catalog/catalogue.ts'
import type { Clock } from '../../platform/clock.ts'
import { followsAsked } from '../limits/index.ts'
import { html } from './html.ts'
import { sendPage, type CreatePage } from './layout.ts'
import {
  FormRefusal,
  noEmail,
  refusedPage,
  spend,
  strangersForm,
  type FormOptions,
  type SentForm,
} from './strangers-form.ts'

// Changes by mail without an account. What a stranger's form brings about is one mail that asks the owner of the
// mailbox, and the answer is the same for every address.

interface FollowOptions extends FormOptions {
  services: { db: Db; clock: Clock; openAlertQueue: () => Promise<MailQueue>; canMail: boolean }
}

export function askToFollow({ services, ...options }: FollowOptions): RequestHandler {
  const { db, clock, openAlertQueue, canMail } = services
  const answer = async ({ form, email, catalogue, network }: SentForm) => {
    if (!canMail) throw new FormRefusal('Emails are not sent by this site.', 403)
    if (email === null) throw new FormRefusal(noEmail)
    const what = readFollowed(form, catalogue)
    if (what === null) throw new FormRefusal('There is no such model or maker. Go back and reload the page.')
    await spend(db, followsAsked, network)
    const queue = await openAlertQueue()
    await db.transaction().execute(async (trx) => {
      const followerId = await follow(trx, email, what)
      if (followerId !== null)
        await requestMail(trx, queue, { kind: 'follow', followerId }, { now: clock.now() })
    })
    return options.createPage({
      title: 'Check your inbox',
      body: html`<h1>Check your inbox</h1>
        <p class="lead">
          We have mailed a link to ${email}, unless it follows ${nameFollowed(what)} already. Confirm it
          within 3 days, and you get an email on days on which prices change.
        </p>`,
    })
  }
  return strangersForm(options, answer, (form, catalogue) => {
    const what = readFollowed(form, catalogue)
    return what && options.createPage.follow(what)
  })
}

/** What is followed must be there: its name is mailed. */
function readFollowed(form: URLSearchParams, { products, vendors }: Catalogue): Followed | null {
  const [kind, name] = [form.get('kind'), form.get('name') ?? '']
  if (kind === 'all') return { kind, name: '' }
  if (kind === 'vendor') return vendors.has(name) ? { kind, name } : null
  const model = kind === 'product' ? products.get(name) : undefined
  return model ? { kind: 'product', name: model.id } : null
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
      : refusedPage(createPage, new FormRefusal(linkIsOver, 404))
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
      : refusedPage(createPage, new FormRefusal(linkIsOver, 404))
    return sendPage(res, page, { isPrivate: true })
  }
}
