import { formatCount, formatInstant, formatNumber, nameField, pluralize } from '@ratecard/contract/wording'
import { quoteName } from '../members/quote-name.ts'
import { packUnits } from '../metering/pack-store.ts'
import type { Notice, ToldChange } from './notice.ts'
import { plainText } from './plain-text.ts'

/** A notice in words: for a mail, a list and a terminal. */
export interface NoticeWords {
  /** What has happened, in a line: the subject of its mail. No name that a customer chose is in it. */
  subject: string
  /** What it means, and what happens next. */
  paragraphs: string[]
  /** What it tells of, one by one. Paths are those of the server. */
  items: { text: string; detail: string; path: string }[]
  /** How many items are not listed. */
  more: number
  /** What to do, and the page for it. */
  action: { label: string; path: string }
}

/** @param changes those that the notice tells of and that there are; without them only their number is told */
export function writeWords(notice: Notice, changes: readonly ToldChange[] = []): NoticeWords {
  switch (notice.event) {
    case 'quota_80':
    case 'quota_used_up':
      return quotaWords(notice)
    case 'packs_low':
    case 'packs_used_up':
    case 'packs_ending':
      return packWords(notice)
    case 'webhook_off':
    case 'webhook_failing':
      return webhookWords(notice)
    case 'key_expiring': {
      const { key_name: name, last_four: lastFour, expires_at: end } = notice.facts
      return plain({
        subject: `Key …${lastFour} expires in a week`,
        paragraphs: [
          `The key ${quoteName(name)} (…${lastFour}) stops working on ${formatInstant(end)}. From then on its requests are answered with 401. Rotate it, or create another one, before that.`,
        ],
        action: { label: 'See the keys', path: '/dashboard/keys' },
      })
    }
    case 'watched_change':
    case 'watched_digest':
      return watchedWords(notice, changes)
  }
}

type Of<Event extends Notice['event']> = Extract<Notice, { event: Event }>

function quotaWords({ event, facts }: Of<'quota_80' | 'quota_used_up'>): NoticeWords {
  const { key_name: name, last_four: lastFour, used, limit, pack_units: packed } = facts
  const key = `The key ${quoteName(name)} (…${lastFour})`
  if (event === 'quota_80') {
    const next =
      packed > 0
        ? `Beyond them, your packs pay: ${formatCount(packed, 'request')} are left in them.`
        : `Beyond them, requests are answered with 429 until then, unless a pack pays for them. A pack holds ${formatCount(packUnits, 'request')}.`
    return plain({
      subject: `Key …${lastFour} has used ${Math.floor((used / limit) * 100)} % of today's requests`,
      paragraphs: [`${key} has used ${formatNumber(used)} of its ${formatCount(limit, 'request')} of today. They start again at midnight UTC.`, next],
      action: { label: 'See the usage', path: '/dashboard/usage' },
    }) // prettier-ignore
  }
  const next =
    packed > 0
      ? `Your packs pay for what it asks from now on: ${formatCount(packed, 'request')} are left in them.`
      : `Further requests are answered with 429 until midnight UTC. A pack of ${formatCount(packUnits, 'request')}, or a larger plan, takes effect with the next request.`
  return plain({
    subject:
      packed > 0
        ? `Key …${lastFour} has used up today's requests: packs pay now`
        : `Key …${lastFour} has used up today's requests`,
    paragraphs: [`${key} has used all of its ${formatCount(limit, 'request')} of today.`, next],
    action: packed > 0 ? { label: 'See the usage', path: '/dashboard/usage' } : { label: 'Get more requests', path: '/dashboard/billing' },
  }) // prettier-ignore
}

function packWords(notice: Of<'packs_low' | 'packs_used_up' | 'packs_ending'>): NoticeWords {
  const action = { label: 'See the packs', path: '/dashboard/billing' }
  if (notice.event === 'packs_ending') {
    const { packs, remaining, ends_at: end } = notice.facts
    const which = packs === 1 ? 'A pack ends' : `${formatNumber(packs)} packs end`
    return plain({
      subject: `${which} on ${end.slice(0, 10)} with ${formatCount(remaining, 'request')} left`,
      paragraphs: [
        `${which} on ${formatInstant(end)}. The ${formatCount(remaining, 'request')} that are left in ${pluralize(packs, 'it', 'them')} end then too. Packs pay once a key's daily quota is used up.`,
      ],
      action,
    })
  }
  const { units, remaining } = notice.facts
  if (notice.event === 'packs_used_up') {
    return plain({
      subject: 'Your packs are used up',
      paragraphs: [
        `Nothing is left of the ${formatCount(units, 'request')} in your packs. A key that has used up its daily quota is answered with 429 until midnight UTC, or until you buy another pack.`,
      ],
      action: { label: 'Get more requests', path: '/dashboard/billing' },
    })
  }
  return plain({
    subject: `Your packs are nearly used up: ${formatCount(remaining, 'request')} left`,
    paragraphs: [
      `${formatNumber(remaining)} of the ${formatCount(units, 'request')} in your packs are left. Without packs, a key that has used up its daily quota is answered with 429 until midnight UTC.`,
    ],
    action,
  })
}

function webhookWords({ event, facts }: Of<'webhook_off' | 'webhook_failing'>): NoticeWords {
  const { webhook_id: id, host, since, error } = facts
  const where = `The webhook at ${plainText(host, 100)}`
  const last = `The last attempt ended with: ${plainText(error, 300)}`
  const action = { label: 'See the webhook', path: `/dashboard/webhooks/${encodeURIComponent(id)}` }
  if (event === 'webhook_off') {
    return plain({
      subject: 'A webhook was switched off',
      paragraphs: [
        `${where} was switched off, because it said that it is gone, or took nothing for days. It receives nothing until you switch it on again.`,
        last,
      ],
      action,
    })
  }
  return plain({
    subject: 'A webhook has failed for a day',
    paragraphs: [
      `${where} has taken nothing since ${formatInstant(since)}. Deliveries are tried again for some days; an endpoint that takes none of them is switched off.`,
      last,
    ],
    action,
  })
}

function watchedWords(
  notice: Of<'watched_change' | 'watched_digest'>,
  changes: readonly ToldChange[],
): NoticeWords {
  const { total } = notice.facts
  const items = changes.map(({ id, title, severity, moves }) => ({
    text: plainText(title, 200),
    detail: [`severity ${severity} of 5`, ...moves.slice(0, movesMax).map(moveText)].join(' · '),
    path: `/changes/${encodeURIComponent(id)}`,
  }))
  const [only] = items
  const what = formatCount(total, 'change')
  const isOne = total === 1 && only !== undefined
  return {
    subject: isOne ? `Watch list: ${only.text}` : `Watch list: ${what}`,
    paragraphs: [
      notice.event === 'watched_digest'
        ? `${what} of what you watch ${pluralize(total, 'was', 'were')} published up to ${notice.facts.day} (UTC).`
        : 'A change of what you watch was published.',
    ],
    items,
    more: Math.max(0, total - items.length),
    action: isOne
      ? { label: 'See the change', path: only.path }
      : { label: 'See the watch list', path: '/dashboard/watching' },
  }
}

const movesMax = 3

function moveText({ field, before, after }: ToldChange['moves'][number]): string {
  return `${plainText(nameField(field), 60)} ${plainText(before ?? 'unknown', 40)} → ${plainText(after ?? 'unknown', 40)}`
}

function plain(words: Pick<NoticeWords, 'subject' | 'paragraphs' | 'action'>): NoticeWords {
  return { ...words, items: [], more: 0 }
}
