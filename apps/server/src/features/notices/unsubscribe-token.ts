import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretBox } from '../webhooks/secret-box.ts'
import { noticeKinds, type NoticeKind } from './notice.ts'

/** For which mails a link in one of them ends them. */
export interface Unsubscription {
  /** Of mails about what is followed: any of the address. */
  userId: string
  /** Of a mail of several notices: all kinds. */
  kind: NoticeKind | 'all' | 'followed'
}

/** Makes and reads the tokens of links that end mails: they work for ever, signed out, and can do nothing else. */
export interface UnsubscribeTokens {
  make: (what: Unsubscription) => string
  /** Null: it is none of ours, or damaged. */
  read: (token: string) => Unsubscription | null
}

/** The purpose for which the secret is derived. */
export const unsubscribePurpose = 'links that end mails'

/** The key that seals signs. Links in old mails outlive a rotation, as long as the old key is there. */
export function createUnsubscribeTokens(box: Pick<SecretBox, 'derive' | 'deriveAll'>): UnsubscribeTokens {
  const sign = (text: string, secret: string) => createHmac('sha256', secret).update(text).digest('base64url')
  const signing = box.derive(unsubscribePurpose)
  const secrets = box.deriveAll(unsubscribePurpose).map(({ secret }) => secret)
  return {
    make({ userId, kind }) {
      const text = `${kind}.${userId}`
      return `${text}.${sign(text, signing)}`
    },
    read(token) {
      const [, text = '', kind = '', userId = '', signature = ''] =
        /^(([a-z]+)\.(\w+))\.([\w-]{43})$/.exec(token) ?? []
      const given = Buffer.from(signature)
      const isOurs = secrets.some((secret) => {
        const expected = Buffer.from(sign(text, secret))
        return given.length === expected.length && timingSafeEqual(given, expected)
      })
      return isOurs && isKind(kind) ? { userId, kind } : null
    },
  }
}

function isKind(text: string): text is Unsubscription['kind'] {
  return text === 'all' || text === 'followed' || (noticeKinds as readonly string[]).includes(text)
}
