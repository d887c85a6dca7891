import { formatCount, formatNumber } from '@ratecard/contract/wording'
import type { Request, RequestHandler } from 'express'
import type { Db } from '../../database/connect.ts'
import { BadSignature, type PaymentEvent, type PaymentProvider } from '../../features/billing/provider.ts'
import { receivePaymentEvent } from '../../features/billing/receive-event.ts'
import { packUnits } from '../../features/metering/pack-store.ts'
import { html } from './html.ts'
import { sendPage, type CreatePage, type Page } from './layout.ts'

// The page on which nobody pays, in the place of Stripe's. Its address is what the event path believes, and no more:
// whoever has it can report this one purchase, once.

type Handler = RequestHandler<{ event: string }>

export function testCheckout(createPage: CreatePage, provider: PaymentProvider): Handler {
  return (req, res) => {
    const event = readEvent(req, provider)
    return sendPage(res, event ? askPage(createPage, event) : overPage(createPage), { isPrivate: true })
  }
}

export function payTest(db: Db, createPage: CreatePage, provider: PaymentProvider): Handler {
  return async (req, res) => {
    const event = readEvent(req, provider)
    if (!event) return sendPage(res, overPage(createPage), { isPrivate: true })
    await receivePaymentEvent(db, provider, event)
    res.redirect(303, '/dashboard/billing?checkout=done')
  }
}

function readEvent({ params, query }: Request<{ event: string }>, provider: PaymentProvider) {
  try {
    const signature = typeof query.signature === 'string' ? query.signature : ''
    return provider.readEvent(Buffer.from(params.event, 'base64url'), signature)
  } catch (error) {
    if (error instanceof BadSignature) return null
    throw error
  }
}

function askPage(createPage: CreatePage, { news }: PaymentEvent): Page {
  const packs = news.kind === 'paid' ? news.packs : 0
  return createPage({
    title: 'Test checkout',
    body: html`<h1>Test checkout: nobody pays</h1>
      <p class="lead">
        ${formatCount(packs, 'pack')}, ${formatNumber(packs * packUnits)} requests. This server runs in test
        mode: no card is asked for and no money moves, but the requests are added.
      </p>
      <form class="ask" method="post"><button class="btn" type="submit">Pay nothing</button></form>
      <p><a href="/dashboard/billing?checkout=cancelled">Cancel</a></p>
      <p class="soft">
        Whoever signs up here can do the same. If you run this server, switch test mode off before strangers
        reach it.
      </p>`,
  })
}

function overPage(createPage: CreatePage): Page {
  return createPage({
    status: 404,
    title: 'This checkout is over',
    body: html`<h1>This checkout is over</h1>
      <p class="lead">
        A test checkout is good for five minutes. <a href="/dashboard/billing">Start again</a> on the billing
        page.
      </p>`,
  })
}
