import type { RequestHandler } from 'express'
import type { Db } from '../../database/connect.ts'
import { takeAttempt, type AttemptLimit } from '../../features/members/attempt-store.ts'
import type { Catalogue } from '../../catalog/catalogue.ts'
import { findNetwork } from '../../platform/network.ts'
import { receiveBody } from '../pipeline/read-body.ts'
import type { Gate } from '../pipeline/shed.ts'
import { html, type Html } from './html.ts'
import { sendPage, type CreatePage, type Page } from './layout.ts'

// Forms of public pages, which need neither an account nor a script.

export interface FormOptions {
  gate: Gate
  readCatalogue: () => Promise<Catalogue>
  createPage: CreatePage
}

export interface SentForm {
  form: URLSearchParams
  /** Null: the field is empty. */
  email: string | null
  catalogue: Catalogue
  network: string
}

/** Why a form is refused, in a sentence that says what to do. */
export class FormRefusal extends Error {
  readonly status: number
  readonly retrySeconds: number

  constructor(message: string, status = 400, retrySeconds = 0) {
    super(message)
    this.status = status
    this.retrySeconds = retrySeconds
  }
}

export const noEmail = 'This is no email address. Correct it.'

const bodyBytesMax = 4_096
const emailCharsMax = 254
const address = /^[^\s@<>"(),:;\\[\]]{1,64}@(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{2,63}$/i

export function strangersForm(
  { gate, readCatalogue, createPage }: FormOptions,
  answer: (sent: SentForm) => Promise<Page>,
  showAgain: (form: URLSearchParams, catalogue: Catalogue) => Html | null,
): RequestHandler {
  return async (req, res) => {
    const body = await receiveBody(req, res, gate, bodyBytesMax)
    let again: Html | null = null
    const take = async () => {
      // A page of another site must not make its visitors ask.
      if (![undefined, 'same-origin', 'none'].includes(req.headers['sec-fetch-site']))
        throw new FormRefusal('Use the form on one of our pages.', 403)
      const form = new URLSearchParams(body.toString())
      const catalogue = await readCatalogue()
      again = showAgain(form, catalogue)
      const email = (form.get('email') ?? '').trim().toLowerCase()
      if (email !== '' && (email.length > emailCharsMax || !address.test(email)))
        throw new FormRefusal(noEmail)
      const network = findNetwork(req.ip ?? '')
      return answer({ form, email: email || null, catalogue, network })
    }
    const page = await take().catch((error: unknown) => {
      if (!(error instanceof FormRefusal)) throw error
      if (error.retrySeconds > 0) res.setHeader('Retry-After', String(error.retrySeconds))
      return refusedPage(createPage, error, again)
    })
    return sendPage(res, page, { isPrivate: true })
  }
}

/** @throws FormRefusal when a network, or all together, ask too often */
export async function spend(
  db: Db,
  { ofNetwork, all }: { ofNetwork: AttemptLimit; all: AttemptLimit },
  network: string,
): Promise<void> {
  const seconds = (await takeAttempt(db, ofNetwork, network)) || (await takeAttempt(db, all, 'anybody'))
  if (seconds === 0) return
  throw new FormRefusal(`Too many requests. Try again in ${Math.ceil(seconds / 60)} minutes.`, 429, seconds)
}

/** @param again the form as it was filled in, to correct it */
export function refusedPage(
  createPage: CreatePage,
  { status, message }: FormRefusal,
  again: Html | null = null,
): Page {
  return createPage({
    status,
    title: 'That did not work',
    body: html`<h1>That did not work</h1>
      <p class="lead">${message}</p>
      ${again ?? html`<p><a href="/changes">All changes</a></p>`}`,
  })
}
