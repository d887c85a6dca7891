import {
  capitalize,
  formatAmount,
  formatAmountUnit,
  formatCount,
  formatDistance,
  formatNumber,
} from '@ratecard/contract/wording'
import { sourceName } from '@ratecard/contract/model-name'
import { Decimal } from 'decimal.js'
import { amountColumns, type PriceRecord } from '../../../catalog/price-record.ts'
import type { ChangeDraft, RowState } from '../change-draft.ts'
import type { WordingContext } from './context.ts'
import { daysBetween } from '../../days.ts'
import { listMoves, newThresholds, computeShare, type Move } from './moves.ts'
import { nameSubject, type Subject } from './naming.ts'
import { droppedBy, isRemoval, listRemovals } from './removal.ts'
import { changedFields, latestRecord } from './subject.ts'
import { boundedText, listText, moveText, percentText, verb } from './text.ts'
import { findWitnesses } from './witnesses.ts'

const titleCharsMax = 200
/** A title with figures is no longer than a headline; without them it may be. */
const headlineCharsMax = 110
/** Leaves room for the rest of the title. */
const nameCharsMax = 80
const namesMax = 3
const named = { charsMax: nameCharsMax }

/** The change as a headline: `GPT-5.6 Luna is 80 % cheaper on Amazon Bedrock ($1 → $0.20 in, $6 → $1.20 out)`. */
export function writeTitle(draft: ChangeDraft, context: WordingContext): string {
  const told = dated(eventText(draft, nameSubject(draft, context, named), context), draft, context)
  const dispute = disputeText(draft, context)
  const figures = figuresText(draft)
  const beside = figures === '' ? '' : told.endsWith(')') ? `: ${figures}` : ` (${figures})`
  const whole = boundedText(`${told}${beside}${dispute}`, titleCharsMax)
  return whole.length <= headlineCharsMax ? whole : boundedText(`${told}${dispute}`, titleCharsMax)
}

function eventText(draft: ChangeDraft, subject: Subject, context: WordingContext): string {
  const { name, location, isPlural } = subject
  const [is, has] = isPlural ? ['are', 'have'] : ['is', 'has']
  switch (draft.category) {
    case 'price_cut':
    case 'price_rise':
    case 'tier_change': {
      const thresholds =
        draft.category === 'tier_change' ? newThresholds(draft).map((tokens) => formatNumber(tokens)) : []
      if (thresholds.length > 0)
        return `${name} ${has} a new price above ${listText(thresholds, namesMax)} tokens per request${location}`
      return movesText(listMoves(draft), subject)
    }
    case 'model_added':
      return `${name} ${is} new${location}`
    case 'model_removed':
      return `${removalText(draft, subject, context)}${noticeText(draft, context)}`
    case 'deprecation':
      return retirementText(draft, subject, context)
    case 'correction':
      return `Corrected: ${name}${location}${correctionText(listMoves(draft))}`
    case 'metadata':
      return `${name}${location}: ${metadataText(draft)}`
  }
}

/** With the day of a dated price. */
function dated(
  text: string,
  { status, effectiveOn, category }: ChangeDraft,
  context: WordingContext,
): string {
  if (status === 'withdrawn')
    return `Called off: ${text}${effectiveOn === null ? '' : ` from ${effectiveOn}`}`
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

/** What became of each amount: a fall and a rise by their shares, the rise first where there are both. */
function movesText(moves: readonly Move[], { name, location, isPlural }: Subject): string {
  const [is, has] = isPlural ? ['are', 'have'] : ['is', 'has']
  const {
    rise = [],
    fall = [],
    from_free: paid = [],
    new: added = [],
    gone = [],
  } = Object.groupBy(moves, decideKind)
  const parts = [
    paid.length > 0 ? `${is} no longer free${amountsText(paid)}` : null,
    rise.length > 0 ? `${verb(isPlural ? 2 : 1, 'cost')} ${sharesText(rise)} more${amountsText(rise, fall)}` : null,
    fall.length === 0 ? null
    : rise.length > 0 ? `but ${sharesText(fall)} less${amountsText(fall, rise)}`
    : fall.every(({ after }) => Number(after) === 0) ? `${is} free now${amountsText(fall)}`
    : `${is} ${sharesText(fall)} cheaper${amountsText(fall)}`,
    added.length > 0 ? `${has} a new price${amountsText(added, moves)}` : null,
    gone.length > 0 ? `no longer ${has} a price${amountsText(gone, moves)}` : null,
  ].filter((part) => part !== null) // prettier-ignore
  return `${name} ${parts.join(', ') || `${has} new prices`}${location}`
}

function decideKind(move: Move): 'rise' | 'fall' | 'from_free' | 'new' | 'gone' {
  const share = computeShare(move)
  if (share === null) return move.before === null ? 'new' : 'gone'
  if (share.isNegative()) return 'fall'
  return share.isFinite() ? 'rise' : 'from_free'
}

const isWhole = (moves: readonly Move[]): boolean =>
  ['input_per_mtok', 'output_per_mtok'].every((column) => moves.some((move) => move.column === column))

/** ` for cached input`; nothing where both directions of tokens move alike, which is the price. */
function amountsText(moves: readonly Move[], opposed: readonly Move[] = []): string {
  if (opposed.length === 0 && isWhole(moves)) return ''
  const max = moves.some(({ column }) => column === null) ? 1 : namesMax
  return ` for ${listText([...new Set(moves.map(({ name }) => name))], max)}`
}

/** `80 %`, `40 % to 80 %`: of the tokens in and out alone, where both move. */
function sharesText(moves: readonly Move[]): string {
  const told = isWhole(moves) ? moves.filter(({ isCached }) => !isCached) : moves
  const shares = told.flatMap((move) => computeShare(move)?.abs() ?? [])
  const [first] = told.flatMap((move) => computeShare(move) ?? [])
  const sized = (share: Decimal) =>
    percentText(first?.isNegative() ? share.negated() : share).replace(/^(?:[−+]|up |down )/, '')
  const [least, largest] = [sized(Decimal.min(...shares)), sized(Decimal.max(...shares))]
  return least === largest ? least : `${least} to ${largest}`
}

const shortNames: Readonly<Record<string, string>> = {
  input_per_mtok: 'in',
  output_per_mtok: 'out',
  cached_input_per_mtok: 'cached',
}
const unitText = ({ column }: Move): string =>
  column === null ? '' : ` ${shortNames[column] ?? formatAmountUnit(column)}`

/** `$1 → $0.20 in, $6 → $1.20 out`: amounts that are the same in all rows, what is read from a cache last. */
function figuresText(draft: ChangeDraft): string {
  const { category, rows } = draft
  if (category === 'model_added') return newPriceText(draft)
  if (!['price_cut', 'price_rise', 'tier_change'].includes(category)) return ''
  const currencies = new Set(rows.flatMap(latestRecord).map(({ currency }) => currency))
  const moves = listMoves(draft)
  const told = isWhole(moves) ? moves.filter(({ isCached }) => !isCached) : moves
  const byName = [...Map.groupBy(told, ({ name }) => name).values()]
  const isAlike = byName.every(
    (ofName) => new Set(ofName.map(({ before, after }) => `${before} ${after}`)).size === 1,
  )
  // Rates of a card have names that are too long for a pair of figures each.
  const isShort = byName.length === 1 || byName.every(([move]) => move!.column !== null)
  if (currencies.size > 1 || byName.length === 0 || !isAlike || !isShort) return ''
  const [currency = null] = currencies
  const texts = byName.map(([move]) => `${figureText(move!, currency)}${unitText(move!)}`)
  return texts.join(', ')
}

const stepText = ({ before, after }: Pick<Move, 'before' | 'after'>, currency: string | null): string =>
  `${shortAmount(before, currency)} → ${shortAmount(after, currency)}` /** A step; of what is new or gone what it is or was. */
function figureText(move: Move, currency: string | null): string {
  if (move.before === null) return shortAmount(move.after, currency)
  return move.after === null ? `was ${shortAmount(move.before, currency)}` : stepText(move, currency)
}

/** `$1`, `$0.20`. */
const shortAmount = (amount: string | null, currency: string | null): string =>
  formatAmount(amount, currency).replace(/\.00(?!\d)/, '')

/** `$3 in, $15 out`. */
function newPriceText({ rows }: ChangeDraft): string {
  const prices = new Set(rows.flatMap(latestRecord).map(formatAmounts))
  if (prices.size > 1) return formatCount(prices.size, 'price')
  return [...prices].join('') || 'no price stated'
}

function formatAmounts(record: PriceRecord): string {
  const stated = amountColumns.filter(
    (column) => record[column] !== null && column !== 'cached_input_per_mtok',
  )
  return stated
    .map(
      (column) =>
        `${shortAmount(record[column], record.currency)} ${shortNames[column] ?? formatAmountUnit(column)}`,
    )
    .join(', ')
}

/** `X was removed from OpenAI` where that is known, else who lists it no longer. */
function removalText(
  draft: ChangeDraft,
  { name, location, isPlural }: Subject,
  context: WordingContext,
): string {
  if (isRemoval(draft, context))
    return `${name} ${isPlural ? 'were' : 'was'} removed${nameSubject(draft, context, { ...named, preposition: 'from' }).location}`
  const sources = droppedBy(draft).map(sourceName)
  if (sources.length === 0) return `${name} ${isPlural ? 'are' : 'is'} no longer listed${location}`
  return `${listText(sources, namesMax)} no longer ${verb(sources.length, 'list')} ${name}${location}`
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

function retirementText(
  draft: ChangeDraft,
  { name, location, isPlural }: Subject,
  context: WordingContext,
): string {
  const states = draft.rows.map(({ after }) => after)
  const days = listDays(states)
  const earlier = new Set(draft.rows.map(({ before }) => before?.retires_on ?? null))
  // Only facts that apply to all rows.
  const was = earlier.size === 1 ? ([...earlier][0] ?? null) : null
  const [day] = days
  if (day === undefined)
    return `${name}${location}: retirement${was === null ? '' : ` on ${was}`} no longer announced`
  const dayCount = daysBetween(context.today, day)
  const left = dayCount < 0 ? '' : ` (${formatDistance(dayCount)})`
  const called = states.filter((state) => (state?.retires_on ?? null) === null).length
  const off =
    called === 0 ? '' : `; no longer announced for ${called} of ${formatCount(states.length, 'listing')}`
  const instead = was === null || was === day ? '' : ` instead of ${was}`
  const when = days.length > 1 ? `between ${day} and ${days.at(-1)}` : `on ${day}`
  const verbText = dayCount < 0 && days.length === 1 ? 'retired' : verb(isPlural ? 2 : 1, 'retire')
  const from = nameSubject(draft, context, { ...named, preposition: 'from' }).location
  return `${name} ${verbText}${from} ${when}${instead}${left}${off}`
}

/** How many sources say so and how many deny it; nothing where none does. */
function disputeText(draft: ChangeDraft, { policy }: WordingContext): string {
  if (draft.status !== 'in_effect' || !['price_cut', 'price_rise'].includes(draft.category)) return ''
  const { for: yes, against: no } = findWitnesses(draft, policy)
  if (no.length === 0) return ''
  return `; ${formatCount(yes.length, 'source')} ${verb(yes.length, 'say')} so, ${no.length} ${no.length === 1 ? 'denies' : 'deny'} it`
}

/** `, input 10 → 2`; amounts only where they are the same in all rows. */
function correctionText(moves: readonly Move[]): string {
  const texts = [...Map.groupBy(moves, (move) => move.name)].map(([name, ofName]) => {
    const currency = ofName[0]!.measure.startsWith('USD ') ? 'USD' : null
    const steps = new Set(ofName.map((move) => stepText(move, currency)))
    return steps.size === 1 ? `${name} ${[...steps].join('')}` : name
  })
  return texts.length === 0 ? '' : `, ${listText(texts, namesMax)}`
}

function metadataText(draft: ChangeDraft): string {
  const byFate = Map.groupBy(listMoves(draft), moveText)
  const added = [...byFate].map(
    ([fate, moves]) => `${listText([...new Set(moves.map(({ name }) => name))], namesMax)} ${fate}`,
  )
  const names = [...new Set(draft.rows.flatMap(changedFields).map(({ name }) => name))]
  const fields = names.length > 0 ? `${listText(names, namesMax)} changed` : ''
  return [listText(added, namesMax), fields].filter((part) => part !== '').join('; ') || 'record changed'
}
