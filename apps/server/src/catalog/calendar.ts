import { createHash } from 'node:crypto'
import { companyName } from '@ratecard/contract/model-name'
import { findPlatform, type CatalogueRow, type Model } from './catalogue.ts'

/** A day on which a model gets another price, or is no longer sold. */
interface ModelDate {
  day: string
  model: Model
  kind: 'price' | 'retirement'
  rows: readonly CatalogueRow[]
}

const datesMax = 500
const platformsMax = 3

/** What is announced of these models from today on, the nearest first. */
export function listDates(models: readonly Model[], today: string): ModelDate[] {
  const dates = models.flatMap((model) =>
    (['price', 'retirement'] as const).flatMap((kind) => {
      const pickDay = (row: CatalogueRow) => (kind === 'price' ? row.starts_on : row.retires_on) ?? ''
      const ahead = model.rows.filter((row) => pickDay(row) >= today && row.gone_since === null)
      return [...Map.groupBy(ahead, pickDay)].map(([day, rows]) => ({ day, model, kind, rows }))
    }),
  )
  return dates.toSorted((a, b) => (a.day < b.day ? -1 : 1)).slice(0, datesMax)
}

/** The days as a calendar (RFC 5545), for a program that asks again. */
export function calendar(dates: readonly ModelDate[], baseUrl: string, name: string): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Ratecard//Announced prices and retirements//EN',
    `X-WR-CALNAME:${escape(name)}`,
    'REFRESH-INTERVAL;VALUE=DURATION:PT12H',
    ...dates.flatMap((date) => eventLines(date, baseUrl)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${fold(line)}\r\n`).join('')
}

function eventLines({ day, model, kind, rows }: ModelDate, baseUrl: string): string[] {
  const platforms = [...new Set(rows.map((row) => companyName(findPlatform(row))))]
  const more = platforms.length - platformsMax
  const where = `${platforms.slice(0, platformsMax).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
  const stamp = model.updated_at.slice(0, 19).replaceAll(/[-:]/g, '')
  const path = model.isProduct ? '/models/' : '/prices/'
  return [
    'BEGIN:VEVENT',
    // What is announced for a model and a day stays the same event, whatever else of it is corrected.
    `UID:${createHash('sha256').update(`${kind} ${model.id} ${day}`).digest('hex').slice(0, 32)}@ratecard`,
    `DTSTAMP:${stamp}Z`,
    `DTSTART;VALUE=DATE:${day.replaceAll('-', '')}`,
    `SUMMARY:${escape(kind === 'price' ? `${model.name}: new price on ${where}` : `${model.name} retires from ${where}`)}`,
    `URL:${baseUrl}${path}${model.id.split('/').map(encodeURIComponent).join('/')}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

/** Text is a stranger's: no line of its own, and none of the signs that part values. */
const escape = (text: string): string =>
  text.replaceAll(/[\u0000-\u001f\u007f]+/g, ' ').replaceAll(/[\\;,]/g, (sign) => `\\${sign}`)

const octetsMax = 75

/** In lines of 75 octets at most, which begin with a blank from the second on; no character is cut. */
function fold(line: string): string {
  const folded: string[] = ['']
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > octetsMax) {
      folded.push('')
      octets = 1
    }
    folded[folded.length - 1] += character
    octets += size
  }
  return folded.join('\r\n ')
}
