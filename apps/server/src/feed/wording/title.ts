import { Decimal } from 'decimal.js'
import type { ChangeDraft } from '../change-draft.ts'
import type { WordingContext } from './context.ts'
import { daysBetween } from '../days.ts'
import { deadlineOf } from './deadline.ts'
import { movesOf, newThresholds, shareOf, type Move } from './moves.ts'
import { removalsOf } from './removal.ts'
import { changedFields, latestRecord, nameOf, locationText, priceText } from './subject.ts'
import { boundedText, clip, count, listText, moveText, percentText } from './text.ts'

const titleCharsMax = 200
/** Leaves room for the rest of the title. */
const nameCharsMax = 80
const namesMax = 3

/** The change in one line, such as `o3: input −80 %, output −80 % on openai`. */
export function titleOf(draft: ChangeDraft, context: WordingContext): string {
  const text = `${clip(nameOf(draft), nameCharsMax)}: ${eventText(draft, context)}`
  return boundedText(withDate(text, draft, context), titleCharsMax)
}

function eventText(draft: ChangeDraft, context: WordingContext): string {
  const location = locationText(draft.rows)
  switch (draft.category) {
    case 'price_cut':
    case 'price_rise':
      return `${movesText(movesOf(draft)) || 'price changed'}${location}`
    case 'tier_change': {
      const thresholds = newThresholds(draft).map((tokens) => tokens.toLocaleString('en-US'))
      if (thresholds.length > 0)
        return `new price above ${listText(thresholds, namesMax)} tokens per request${location}`
      return `${movesText(movesOf(draft)) || 'special rates changed'}${location}`
    }
    case 'model_added':
      return `new${location}, ${newPriceText(draft)}`
    case 'model_removed':
      return `removed${locationText(draft.rows, 'from')}${noticeText(draft, context)}`
    case 'deprecation':
      return `${retirementText(draft, context.today)}${location}`
    case 'correction':
      return `record corrected${location}${correctionText(movesOf(draft))}`
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
  return `${days === 1 ? 'Tomorrow' : `In ${days} days`} (${day})`
}

/** `input −80 %, output −80 % to −60 %`: each amount once, over all rows. */
function movesText(moves: readonly Move[]): string {
  const byName = Map.groupBy(moves, (move) => move.name)
  const texts = [...byName].map(([name, ofName]) => `${name} ${rangeText(ofName)}`)
  const shown = texts.slice(0, namesMax).join(', ')
  return texts.length > namesMax ? `${shown} and ${texts.length - namesMax} more` : shown
}

function rangeText(moves: readonly Move[]): string {
  const shares = moves.flatMap((move) => shareOf(move) ?? [])
  if (shares.length === 0) return [...new Set(moves.map(moveText))].join(' or ')
  const [least, largest] = [Decimal.min(...shares), Decimal.max(...shares)].map(percentText)
  return least === largest ? `${least}` : `${least} to ${largest}`
}

function newPriceText({ rows }: ChangeDraft): string {
  const prices = new Set(rows.flatMap(latestRecord).map(priceText))
  return prices.size > 1 ? `at ${count(prices.size, 'price')}` : [...prices].join('')
}

function noticeText(draft: ChangeDraft, context: WordingContext): string {
  const kinds = removalsOf(draft, context)
  if (!kinds.includes('announced')) return ', without notice'
  return kinds.every((kind) => kind === 'announced') ? `, as announced for ${deadlineOf(draft)}` : ''
}

function retirementText(draft: ChangeDraft, today: string): string {
  const day = deadlineOf(draft)
  const earlier = new Set(draft.rows.map(({ before }) => before?.retires_on ?? null))
  // Only facts that apply to all rows.
  const was = earlier.size === 1 ? ([...earlier][0] ?? null) : null
  if (day === null) return was === null ? 'retirement called off' : `retirement on ${was} called off`
  const days = daysBetween(today, day)
  if (days < 0) return `retired since ${day}`
  const left = days === 0 ? 'today' : days === 1 ? 'tomorrow' : `${count(days, 'day')} left`
  return `retires on ${day}${was === null || was === day ? '' : ` instead of ${was}`} (${left})`
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
  return [movesText(movesOf(draft)), fields].filter((part) => part !== '').join('; ') || 'record changed'
}
