import { capitalize, formatCount, formatDistance, formatNumber } from '@ratecard/contract/wording'
import { Decimal } from 'decimal.js'
import type { ChangeDraft, RowState } from '../change-draft.ts'
import type { WordingContext } from './context.ts'
import { daysBetween } from '../days.ts'
import { listMoves, newThresholds, computeShare, type Move } from './moves.ts'
import { nameSubject, type Subject } from './naming.ts'
import { droppedBy, isRemoval, listRemovals } from './removal.ts'
import { changedFields, latestRecord, priceText } from './subject.ts'
import { boundedText, listText, moveText, percentText, verb } from './text.ts'
import { findWitnesses } from './witnesses.ts'

const titleCharsMax = 200
/** Leaves room for the rest of the title. */
const nameCharsMax = 80
const namesMax = 3

/** The change in one line, such as `o3: input −80 %, output −80 % on openai`. */
export function writeTitle(draft: ChangeDraft, context: WordingContext): string {
  const subject = nameSubject(draft, context, { charsMax: nameCharsMax })
  const text = `${subject.name}: ${eventText(draft, subject, context)}${disputeText(draft, context)}`
  return boundedText(withDate(text, draft, context), titleCharsMax)
}

function eventText(draft: ChangeDraft, { location }: Subject, context: WordingContext): string {
  switch (draft.category) {
    case 'price_cut':
    case 'price_rise':
      return `${movesText(listMoves(draft)) || 'price changed'}${location}`
    case 'tier_change': {
      const thresholds = newThresholds(draft).map((tokens) => formatNumber(tokens))
      if (thresholds.length > 0)
        return `new price above ${listText(thresholds, namesMax)} tokens per request${location}`
      return `${movesText(listMoves(draft)) || 'special rates changed'}${location}`
    }
    case 'model_added':
      return `new${location}, ${newPriceText(draft)}`
    case 'model_removed':
      return `${removalText(draft, location, context)}${noticeText(draft, context)}`
    case 'deprecation':
      return `${retirementText(draft, context.today)}${location}`
    case 'correction':
      return `record corrected${location}${correctionText(listMoves(draft))}`
    case 'metadata':
      return `${metadataText(draft)}${location}`
  }
}

/** Adds the day of a dated price to the title. */
function withDate(
  text: string,
  { status, effectiveOn, category }: ChangeDraft,
  context: WordingContext,
): string {
  if (status === 'withdrawn') {
    return `Withdrawn: ${text}${effectiveOn === null ? '' : `, announced for ${effectiveOn}`}`
  }
  if (effectiveOn === null) return text
  const days = daysBetween(context.today, effectiveOn)
  if (status === 'announced') return `${aheadText(days, effectiveOn, context.policy.reminderDays)}: ${text}`
  const isDated = category === 'price_cut' || category === 'price_rise' || category === 'tier_change'
  return isDated ? `${text} ${days > 0 ? 'from' : 'since'} ${effectiveOn}` : text
}

/** `From 2026-09-01`, and `In 7 days (2026-09-01)` once reminders are sent. */
function aheadText(days: number, day: string, reminderDays: readonly number[]): string {
  if (days < 1 || days > Math.max(...reminderDays)) return `From ${day}`
  return `${capitalize(formatDistance(days))} (${day})`
}

/** `input −80 %, output −80 % to −60 %`: each amount once, over all rows. What rises comes first: `…, but output −80 %`. */
function movesText(moves: readonly Move[]): string {
  const byName = [...Map.groupBy(moves, (move) => move.name)]
  const isFall = (ofName: readonly Move[]) =>
    ofName.every((move) => computeShare(move)?.isNegative() ?? false)
  const isRise = (ofName: readonly Move[]) => ofName.some((move) => computeShare(move)?.gt(0) ?? false)
  const falls = byName.filter(([, ofName]) => isFall(ofName))
  const others = byName.filter(([, ofName]) => !isFall(ofName))
  const isMixed = others.some(([, ofName]) => isRise(ofName)) && falls.length > 0
  const ordered = isMixed ? [...others, ...falls] : byName
  const texts = ordered.map(([name, ofName], index) => {
    const but = isMixed && index === others.length ? 'but ' : ''
    return `${but}${name} ${rangeText(ofName)}`
  })
  const shown = texts.slice(0, namesMax).join(', ')
  return texts.length > namesMax ? `${shown} and ${texts.length - namesMax} more` : shown
}

function rangeText(moves: readonly Move[]): string {
  const shares = moves.flatMap((move) => computeShare(move) ?? [])
  if (shares.length === 0) return [...new Set(moves.map(moveText))].join(' or ')
  const [least, largest] = [Decimal.min(...shares), Decimal.max(...shares)].map(percentText)
  return least === largest ? `${least}` : `${least} to ${largest}`
}

function newPriceText({ rows }: ChangeDraft): string {
  const prices = new Set(rows.flatMap(latestRecord).map(priceText))
  return prices.size > 1 ? `at ${formatCount(prices.size, 'price')}` : [...prices].join('')
}

/** `removed from openai` where that is known, else who lists it no longer. */
function removalText(draft: ChangeDraft, location: string, context: WordingContext): string {
  if (isRemoval(draft, context)) {
    return `removed${nameSubject(draft, context, { charsMax: nameCharsMax, preposition: 'from' }).location}`
  }
  const sources = droppedBy(draft)
  return `no longer listed${sources.length === 0 ? '' : ` by ${listText(sources, namesMax)}`}${location}`
}

/** Only where it applies to all rows. */
function noticeText(draft: ChangeDraft, context: WordingContext): string {
  const isAnnounced = listRemovals(draft, context).every((kind) => kind === 'announced' || kind === 'past')
  return isAnnounced ? `, as announced for ${daysText(listDays(draft.rows.map(({ before }) => before)))}` : ''
}

/** `2026-08-01`, `2026-08-01 to 2026-09-01`. */
function daysText(days: readonly string[]): string {
  return days.length > 1 ? `${days[0]} to ${days.at(-1)}` : days.join('')
}

function listDays(states: readonly (RowState | null)[]): string[] {
  return [...new Set(states.flatMap((state) => state?.retires_on ?? []))].sort()
}

function retirementText(draft: ChangeDraft, today: string): string {
  const states = draft.rows.map(({ after }) => after)
  const days = listDays(states)
  const earlier = new Set(draft.rows.map(({ before }) => before?.retires_on ?? null))
  // Only facts that apply to all rows.
  const was = earlier.size === 1 ? ([...earlier][0] ?? null) : null
  const [day] = days
  if (day === undefined) return was === null ? 'retirement called off' : `retirement on ${was} called off`
  const dayCount = daysBetween(today, day)
  const left = dayCount < 0 ? '' : ` (${formatDistance(dayCount)})`
  const called = states.filter((state) => (state?.retires_on ?? null) === null).length
  const off = called === 0 ? '' : `; called off for ${called} of ${formatCount(states.length, 'row')}`
  const instead = was === null || was === day ? '' : ` instead of ${was}`
  if (days.length > 1) return `retires between ${day} and ${days.at(-1)}${instead}${left}${off}`
  return `${dayCount < 0 ? 'retired since' : 'retires on'} ${day}${instead}${left}${off}`
}

/** How many sources say so and how many deny it; nothing where none does. */
function disputeText(draft: ChangeDraft, { policy }: WordingContext): string {
  if (draft.status !== 'in_effect' || !['price_cut', 'price_rise'].includes(draft.category)) return ''
  const { for: yes, against: no } = findWitnesses(draft, policy)
  if (no.length === 0) return ''
  return ` (${formatCount(yes.length, 'source')} ${verb(yes.length, 'say')} so, ${no.length} ${no.length === 1 ? 'denies' : 'deny'} it)`
}

/** `: input 10 → 2 (USD per 1M tokens)`; amounts only where they are the same in all rows. */
function correctionText(moves: readonly Move[]): string {
  if (moves.length === 0) return ''
  const byName = Map.groupBy(moves, (move) => move.name)
  const texts = [...byName].map(([name, ofName]) => {
    const steps = new Set(ofName.map(({ before, after }) => `${before ?? 'unknown'} → ${after ?? 'unknown'}`))
    return steps.size === 1 ? `${name} ${[...steps].join('')}` : name
  })
  const measures = [...new Set(moves.map(({ measure }) => measure))]
  return `: ${listText(texts, namesMax)}${measures.length === 1 ? ` (${measures.join('')})` : ''}`
}

function metadataText(draft: ChangeDraft): string {
  const names = [...new Set(draft.rows.flatMap(changedFields).map(({ name }) => name))]
  const fields = names.length > 0 ? `${listText(names, namesMax)} changed` : ''
  return [movesText(listMoves(draft)), fields].filter((part) => part !== '').join('; ') || 'record changed'
}
