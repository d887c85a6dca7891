import type { SignatureInput } from './pipeline.ts'
import type { WebhookData } from './types.ts'

const changes: [from: RegExp, to: string, name: string][] = [
  [/$/, '\n', 'The line feed at the end of the body was removed.'],
  [/\r?\n$/, '', 'A line feed was added at the end of the body.'],
  [/\r\n/g, '\n', 'Line ends were changed from LF to CRLF.'],
  [/\n/g, '\r\n', 'Line ends were changed from CRLF to LF.'],
  [/^/, '\ufeff', 'The byte order mark was removed.'],
  [/^\ufeff/, '', 'A byte order mark was added.'],
]

const lenient = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Bodies that the sender may have signed when a body does not match: the body before an intermediary changed it.
 * Only for the hint; a match here accepts nothing.
 */
export function* suspects({
  data,
  secrets,
}: SignatureInput): Generator<[data: WebhookData, secret: string, hint: string]> {
  for (const secret of secrets) {
    const bare = secret.replace(/^[\s"'`]+|[\s"'`]+$/g, '')
    if (bare && bare !== secret)
      yield [data, bare, 'The secret was copied with white space or quotes around it.']
    const text = typeof data === 'string' ? data : lenient.decode(data as ArrayBuffer)
    // Without this limit a forger could make us hash a lot.
    if (text.length <= 65_536)
      for (const [from, to, hint] of changes) yield [text.replace(from, to), secret, hint]
  }
}
