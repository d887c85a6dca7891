import type { RequestHandler } from 'express'
import type { Db } from '../../database/connect.ts'
import { leave } from '../../features/notices/follower-store.ts'
import { noticeKinds } from '../../features/notices/notice.ts'
import { changeSettings } from '../../features/notices/settings-store.ts'
import type { UnsubscribeTokens, Unsubscription } from '../../features/notices/unsubscribe-token.ts'
import { html } from './html.ts'
import { sendPage, type CreatePage, type Page } from './layout.ts'

// The link at the foot of a mail, for people and for the button of their mail program (RFC 8058). It works signed out.
// Programs follow links to look at them, so opening it changes nothing: only the press of a button does.

type Handler = RequestHandler<{ token: string }>

export function endMailsPage(tokens: UnsubscribeTokens, createPage: CreatePage): Handler {
  const pages = { damaged: damagedPage(createPage) }
  return (req, res) => {
    const what = tokens.read(req.params.token)
    return sendPage(res, what === null ? pages.damaged : askPage(createPage, what), { isPrivate: true })
  }
}

/** Ends the mails. What the body says is not read: a mail program and the button on the page want the same. */
export function endMails(db: Db, tokens: UnsubscribeTokens, createPage: CreatePage): Handler {
  const pages = { damaged: damagedPage(createPage) }
  return async (req, res) => {
    const what = tokens.read(req.params.token)
    if (what === null) return sendPage(res, pages.damaged, { isPrivate: true })
    if (what.kind === 'followed') await leave(db, what.userId)
    else await changeSettings(db, what.userId, { off: what.kind === 'all' ? noticeKinds : [what.kind] })
    return sendPage(res, donePage(createPage, what), { isPrivate: true })
  }
}

const subjects: Readonly<Record<Unsubscription['kind'], string>> = {
  quota: 'about daily quotas',
  packs: 'about packs',
  webhooks: 'about webhooks',
  keys: 'about keys that expire',
  watched: 'about what you watch',
  followed: 'about price changes',
  all: 'about your accounts and what you watch',
}

function askPage(createPage: CreatePage, { kind }: Unsubscription): Page {
  return createPage({
    title: 'Unsubscribe',
    body: html`<h1>No more mails ${subjects[kind]}?</h1>
      <p class="lead">
        Press the button, and Ratecard mails you none of
        them${kind !== 'followed' && ', of whichever account. What happens is still in the dashboard'}.
      </p>
      <form class="ask" method="post"><button class="btn" type="submit">Unsubscribe</button></form>
      ${kind !== 'followed' && html`<p class="soft"><a href="/dashboard/notifications">Choose what you are mailed</a></p>`}`,
  })
}

function donePage(createPage: CreatePage, { kind }: Unsubscription): Page {
  return createPage({
    title: 'Unsubscribed',
    body: html`<h1>You are unsubscribed</h1>
      <p class="lead">You get no more mails ${subjects[kind]}. One that is on its way may still come.</p>
      ${
        kind === 'followed'
          ? html`<p><a href="/changes">Changes</a> has them all, and the field to follow them again.</p>`
          : html`<p>
              Changed your mind? <a href="/dashboard/notifications">Switch them on again</a> in the dashboard,
              signed in.
            </p>`
      }`,
  })
}

function damagedPage(createPage: CreatePage): Page {
  return createPage({
    status: 404,
    title: 'This link is incomplete',
    body: html`<h1>This link is incomplete</h1>
      <p class="lead">
        It ends no mails. Copy it whole from the mail, or
        <a href="/dashboard/notifications">choose what you are mailed</a> in the dashboard.
      </p>`,
  })
}
