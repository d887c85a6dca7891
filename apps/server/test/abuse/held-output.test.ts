import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { atomEntry, atomFeedEnd, atomFeedStart } from '../../src/features/changes/atom.ts'
import { parseChanges } from '../../src/features/changes/change-input.ts'
import type { StoredChange } from '../../src/features/changes/change-store.ts'
import { usageCsv } from '../../src/features/metering/usage-csv.ts'
import { html } from '../../src/http/html/html.ts'
import { createLogger } from '../../src/platform/logger.ts'
import { createMailer } from '../../src/platform/mailer.ts'
import { goodCertificate } from '../support/certificates.ts'
import { changeFile } from '../support/fixtures.ts'

// Words of strangers, wherever they are shown: they stay words.

const hostile = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover='alert(1)",
  '</title><script>alert(1)</script>',
  '<!--',
  ']]><script>',
  '&lt;script&gt;',
  '<svg/onload=alert(1)>',
]

describe('in a page', () => {
  test.each(hostile)('%s', (text) => {
    const page = html`<p title="${text}">${text}</p>`.text
    const inside = /^<p title="([^"]*)">([^<]*)<\/p>$/.exec(page)
    expect(inside?.[1]).toBe(inside?.[2])
    expect(inside?.[1]).not.toMatch(/[<>"']/)
    const read = inside?.[1]?.replaceAll(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    expect(read).toBe(text)
  })
})

describe('in the feed of changes', () => {
  const change = (text: string) =>
    ({
      // The database takes no half of a pair, and so no id has one.
      id: text.isWellFormed() ? text : 'chg_1',
      title: text,
      summary: text,
      vendor: text,
      category: text,
      source_url: `https://acme.example/?${text}`,
      created_at: '2026-01-01T00:00:00Z',
      updated_at: '2026-01-01T00:00:00Z',
    }) as StoredChange

  test.each([...hostile, 'a\0b', 'a\u0007b', 'a\ufffeb', '\ud800', '&entity;'])('%j', (text) => {
    const feed = atomFeedStart('https://x.example') + atomEntry(change(text), 'https://x.example') + atomFeedEnd
    const names = new Set([...feed.matchAll(/<\/?([^\s/>]+)/g)].map((match) => match[1]))
    expect([...names].sort()).toEqual(
      ['?xml', 'author', 'category', 'entry', 'feed', 'id', 'link', 'name', 'published', 'summary', 'title', 'updated'],
    )
    for (const [, attributes = ''] of feed.matchAll(/<(?:link|category)([^>]*)>/g)) {
      expect(attributes).toMatch(/^( (rel|type|href|term)="[^"<]*")+\/$/)
    }
    expect(feed).not.toMatch(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u)
    expect(feed.match(/&(?!amp;|lt;|gt;|quot;)/)).toBeNull()
  }) // prettier-ignore
})

test.each(['javascript:alert(1)', 'JavaScript:alert(1)', ' javascript:alert(1)', 'java\nscript:alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd', 'ftp://x.example/', '//x.example', 'x'])(
  'a change links to http(s) alone, not to %j',
  (source_url) => {
    expect(() => parseChanges([changeFile({ source_url })])).toThrow(/source_url/)
  },
) // prettier-ignore

describe('in a spreadsheet', () => {
  test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '=HYPERLINK("https://evil.example","x")', '=1,2'])(
    '%j is no formula',
    (name) => {
      const key = { key_id: 'key_1', key_name: name }
      const row = { day: '2026-01-01', ...key, endpoint: 'prices', paid_by: 'plan', units: 1 } as const
      const cell = usageCsv([row]).split('key_1,')[1] ?? ''
      expect(cell.replace(/^"/, '')).toMatch(/^'/)
    },
  ) // prettier-ignore
})

describe('in a mail', () => {
  test.each([
    'Acme\r\nBcc: everybody@evil.example',
    'Acme\nBcc: everybody@evil.example',
    'Acme\rBcc: everybody@evil.example',
    'Acme\r\n\r\nAnother body',
    'Acme\u0000',
    'Acme\u2028Bcc: everybody@evil.example',
    'Ацме =?utf-8?q?=0d=0aBcc:_everybody=40evil.example?=',
  ])('%j adds no header and no recipient', async (name) => {
    const mails: { text: string; recipients: string[] }[] = []
    const server = new SMTPServer({
      ...goodCertificate,
      authOptional: true,
      disabledCommands: ['STARTTLS', 'AUTH'],
      onData: (stream, session, done) => {
        let text = ''
        stream.on('data', (bytes: Buffer) => (text += bytes.toString()))
        stream.on('end', () => {
          mails.push({ text, recipients: session.envelope.rcptTo.map(({ address }) => address) })
          done()
        })
      },
    })
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    onTestFinished(() => new Promise<void>((resolve) => server.close(resolve)))
    const smtpUrl = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
    const logger = createLogger('silent', { write: () => undefined })
    await createMailer({ smtpUrl, from: 'Ratecard <no-reply@prices.example>', logger })({
      to: 'ada@customer.example',
      subject: `Join ${name} on Ratecard`,
      text: 'Hello.',
      link: 'https://prices.example/dashboard/accept-invitation#token=x',
    })
    expect(mails.map(({ recipients }) => recipients)).toEqual([['ada@customer.example']])
    const head = mails[0]?.text.split('\r\n\r\n')[0] ?? ''
    expect([...head.matchAll(/^([\w-]+):/gm)].map((match) => match[1]?.toLowerCase()).sort()).toEqual(
      ['content-transfer-encoding', 'content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'],
    )
    expect(head).not.toContain('\0')
  }) // prettier-ignore
})
