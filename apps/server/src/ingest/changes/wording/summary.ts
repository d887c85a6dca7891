import { sourceName } from '@ratecard/contract/model-name'
import { formatCount, formatDistance } from '@ratecard/contract/wording'
import type { ChangeDraft, MovedRow } from '../change-draft.ts'
import type { WordingContext } from './context.ts'
import { daysBetween } from '../../days.ts'
import { listMoves, type Move } from './moves.ts'
import { findSiblings, nameSubject } from './naming.ts'
import { droppedBy, isRemoval } from './removal.ts'
import { changedFields, latestRecord, priceText } from './subject.ts'
import { boundedText, listText, moveText } from './text.ts'
import { findWitnesses, witnessesText } from './witnesses.ts'

const summaryCharsMax = 4_000
const nameCharsMax = 200
const idCharsMax = 200
const rowTextCharsMax = 1_000
/** Ids named in one line; the diff has all. */
const idsMax = 5

/**
 * The change in sentences, each on its own line: what happened, then the rows, grouped where they have the same text,
 * then further facts.
 * @param omission what the diff leaves out, as a sentence
 */
export function writeSummary(draft: ChangeDraft, context: WordingContext, omission: string | null): string {
  const opening = boundedText(openingText(draft, context), rowTextCharsMax)
  const closing = [closingText(draft, context), omission].filter((line) => line !== null)
  const byText = Map.groupBy(draft.rows, (row) =>
    boundedText(rowText(row, draft, context.today), rowTextCharsMax),
  )
  const lines = [...byText].map(([text, rows]) => ({ text: `${idsText(rows)}: ${text}.`, rows: rows.length }))
  return [opening, ...fittingLines(lines, [opening, ...closing]), ...closing].join('\n')
}

function openingText(draft: ChangeDraft, context: WordingContext): string {
  const { name, location } = nameSubject(draft, context, { charsMax: nameCharsMax })
  switch (draft.category) {
    case 'price_cut':
    case 'price_rise':
      return priceOpening(draft, `The price of ${name}${location}`, context.today)
    case 'tier_change':
      return priceOpening(
        draft,
        `The price list of ${name}${location} beside the standard price`,
        context.today,
      )
    case 'model_added':
      return `${name} is new${location}.`
    case 'model_removed':
      return removalOpening(draft, name, location, context)
    case 'deprecation':
      return retirementOpening(draft, name, location)
    case 'correction':
      return `The record of ${name}${location} is corrected, and no move is told: ${listText(draft.reasons ?? ['sources differ'], idsMax)}.`
    case 'metadata':
      return `What is stated of ${name}${location} has changed; no price that was known has moved.`
  }
}

function removalOpening(draft: ChangeDraft, name: string, location: string, context: WordingContext): string {
  const since = `since ${draft.firstSeen.slice(0, 10)} (UTC)`
  const sources = droppedBy(draft).map(sourceName)
  const by = sources.length === 0 ? '' : ` by ${listText(sources, idsMax)}`
  const isGone = isRemoval(draft, context)
  const opening = isGone
    ? `${name} is removed${location}, ${since}: it is no longer listed${by}.`
    : `${name} is no longer listed${by}${location}, ${since}.`
  const dated = draft.rows.filter(({ before }) => (before?.retires_on ?? null) !== null)
  const days = [...new Set(dated.map(({ before }) => before!.retires_on!))].sort()
  const notice =
    dated.length === 0
      ? 'No source has given a day of retirement.'
      : `Retirement was announced for ${listText(days, idsMax)}${dated.length < draft.rows.length ? `, of ${dated.length} of ${formatCount(draft.rows.length, 'row')}` : ''}.`
  const left = findSiblings(draft, context).map(({ resource_id }) => boundedText(resource_id, idCharsMax))
  const still = left.length === 0 ? '' : ` Still listed: ${listText(left.sort(), idsMax)}.`
  return `${opening} ${notice}${still}`
}

function retirementOpening({ rows }: ChangeDraft, name: string, location: string): string {
  const dated = rows.filter(({ after }) => (after?.retires_on ?? null) !== null).length
  if (dated === 0) return `The retirement of ${name}${location} is called off: no day is given any more.`
  const part = dated < rows.length ? `, for ${dated} of ${formatCount(rows.length, 'row')}` : ''
  return `A day of retirement is given for ${name}${location}${part}.`
}

function priceOpening(
  { status, effectiveOn, firstSeen }: ChangeDraft,
  subject: string,
  today: string,
): string {
  if (status === 'withdrawn') {
    const day = effectiveOn === null ? '' : ` for ${effectiveOn}`
    return `${subject} stays as it is: the change that was announced${day} is no longer to come.`
  }
  if (effectiveOn === null) {
    return `${subject} changed. The source does not say since when; it was first seen on ${firstSeen.slice(0, 10)} (UTC).`
  }
  const days = daysBetween(today, effectiveOn)
  if (days > 0) return `${subject} changes on ${effectiveOn}, ${formatDistance(days)}.`
  return `${subject} changed on ${effectiveOn}.`
}

function closingText(draft: ChangeDraft, { policy }: WordingContext): string | null {
  const { category, status, verified } = draft
  const isPrice = category === 'price_cut' || category === 'price_rise' || category === 'tier_change'
  if (!isPrice || status === 'withdrawn') return null
  const witnesses = findWitnesses(draft, policy)
  // The seller's own word needs no second one.
  const alone = witnesses.sellers.length > 0 ? null : 'No second source confirms it yet.'
  const confirmed = verified ? 'A second, independent source or the operator confirms it.' : alone
  return [confirmed, witnessesText(witnesses)].filter((text) => text !== null).join(' ')
}

/** The text about a row, without its id. */
function rowText(row: MovedRow, draft: ChangeDraft, today: string): string {
  const { before, after } = row
  switch (draft.category) {
    case 'deprecation':
      return retirementText(before?.retires_on ?? null, after?.retires_on ?? null, today)
    case 'model_added':
    case 'model_removed': {
      const price = latestRecord(row).map(priceText).join('')
      const day = after?.retires_on ?? null
      return `${after ? '' : 'last price: '}${price}${day === null ? '' : `; retires on ${day}`}`
    }
    default: {
      if (before && after && before.record.currency !== after.record.currency) {
        return `${priceText(before.record)}, now ${priceText(after.record)}`
      }
      const moves = listMoves({ ...draft, rows: [row] }).map(stepText)
      const fields = changedFields(row)
        // Stated together with the price itself.
        .filter(({ name }) => draft.category === 'metadata' || name !== 'date of the price')
        .map(({ name, was, is }) => `${name} from ${was} to ${is}`)
      return [...moves, ...fields].join(', ') || latestRecord(row).map(priceText).join('')
    }
  }
}

/** `input from 10 to 2 USD per 1M tokens (−80 %)`. */
function stepText(move: Move): string {
  const { name, measure, before, after } = move
  if (before === null) return `${name} new, ${after} ${measure}`
  if (after === null) return `${name} no longer stated, before ${before} ${measure}`
  return `${name} from ${before} to ${after} ${measure} (${moveText(move)})`
}

function retirementText(was: string | null, is: string | null, today: string): string {
  if (is === null) return was === null ? 'no day of retirement' : `no longer retires on ${was}`
  const days = daysBetween(today, is)
  const instead = was === null || was === is ? '' : `, before: ${was}`
  return `${days < 0 ? 'retired' : 'retires'} on ${is} (${formatDistance(days)})${instead}`
}

function idsText(rows: readonly MovedRow[]): string {
  return listText(
    rows.map(({ resource_id }) => boundedText(resource_id, idCharsMax)),
    idsMax,
  )
}

/** The lines that fit, and the number of rows whose lines do not. */
function fittingLines(lines: readonly { text: string; rows: number }[], others: readonly string[]): string[] {
  const missingText = (rows: number) => `And ${formatCount(rows, 'row')} more.`
  const all = lines.reduce((sum, { rows }) => sum + rows, 0)
  let room =
    summaryCharsMax - [...others, missingText(all)].reduce((chars, text) => chars + text.length + 1, 0)
  const shown = []
  for (const line of lines) {
    room -= line.text.length + 1
    if (room < 0) break
    shown.push(line)
  }
  const missing = all - shown.reduce((sum, { rows }) => sum + rows, 0)
  return [...shown.map(({ text }) => text), ...(missing > 0 ? [missingText(missing)] : [])]
}
