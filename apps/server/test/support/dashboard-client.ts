import { requireNamedError } from './dashboard-errors.ts'

/** An answer of the dashboard's interface. */
export interface DashboardAnswer {
  status: number
  headers: Headers
  body: unknown
}

/** Headers to send; null leaves one out that a page would send. */
type Overrides = Record<string, string | null>

// Each browser has an address of its own, which its proxy reports: attempts are counted by address.
let browsers = 0

/** Speaks to the dashboard's interface as its pages do in a browser: same origin, with the cookies it was given. */
export class Browser {
  readonly #base: string
  readonly #headers: Record<string, string>
  readonly #cookies = new Map<string, string>()

  constructor(url: string, headers: Record<string, string> = {}) {
    this.#base = `${url}/dashboard/api`
    browsers += 1
    this.#headers = { 'x-forwarded-for': `203.0.113.${browsers}`, ...headers }
  }

  /** What it sends as `Cookie`. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  get(path: string): Promise<DashboardAnswer> {
    return this.send('GET', path)
  }

  post(path: string, body?: unknown, overrides: Overrides = {}): Promise<DashboardAnswer> {
    return this.send('POST', path, body, overrides)
  }

  async send(
    method: string,
    path: string,
    body?: unknown,
    overrides: Overrides = {},
  ): Promise<DashboardAnswer> {
    const { cookie } = this
    const headers = Object.entries<string | null>({
      'sec-fetch-site': 'same-origin',
      'x-ratecard-dashboard': '1',
      ...(cookie !== '' && { cookie }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...this.#headers,
      ...overrides,
    }).filter((entry): entry is [string, string] => entry[1] !== null)
    const response = await fetch(this.#base + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    const answer = isJson ? (JSON.parse(text) as unknown) : text
    if (isJson && !response.ok) requireNamedError(method, path, (answer as { error: string }).error)
    return { status: response.status, headers: response.headers, body: answer }
  }
}

/** A server without SMTP, whose mails are in its log. */
export interface MailingServer {
  url: string
  log: readonly string[]
  sendMails: () => Promise<void>
}

/** The token of the last link that was sent to an address; empty: there is none. */
export async function linkToken(server: Omit<MailingServer, 'url'>, email: string): Promise<string> {
  await server.sendMails()
  const lines = server.log.map((line) => JSON.parse(line) as { to?: string; link?: string })
  const link = lines.findLast(({ to }) => to === email)?.link ?? ''
  return link.split('#token=')[1] ?? ''
}

/** A user who signed up, chose a password by the mailed link and is signed in, with the new account. */
export async function signInNew(
  server: MailingServer,
  name: string,
): Promise<{ browser: Browser; accountId: string }> {
  const browser = new Browser(server.url)
  const email = `${name.toLowerCase()}@customer.example`
  const password = 'correct horse battery'
  await browser.post('/sign-up', { email })
  const token = await linkToken(server, email)
  const done = await browser.post('/finish-sign-up', { token, name, password })
  // Who had signed up before gets no second account.
  if (done.status !== 200) await browser.post('/sign-in', { email, password })
  const me = await browser.get('/me')
  if (me.status !== 200) throw new Error(`${name} is not signed in: ${JSON.stringify([done.body, me.body])}`)
  return { browser, accountId: (me.body as { data: { account: { id: string } } }).data.account.id }
}
