import type { WrongAmount } from '../../../packages/cost/src/drift.ts'
import type { Pin } from './pinned.ts'
import type { Place } from './runner.ts'

/** What a step has found. */
export interface Findings {
  /** Rows of tables that were compared, and rows whose model is not served. */
  compared: number
  unknown: number
  wrong: (WrongAmount & { place: Place })[]
  pins: Pin[]
  /** Of the prices. */
  version: string
  generatedAt: string
}

/** GitHub takes 65,536 characters, and refuses a longer comment as a whole. */
const charsMax = 60_000

/** The differences as Markdown. */
export function writeReport({ compared, unknown, wrong, pins, version, generatedAt }: Findings): string {
  const head = [
    '### Prices of AI models',
    `${compared} rows of price tables compared, ${wrong.length} amounts wrong, ${unknown} models unknown. ${pins.length} pinned models to look at. Prices of ${code(generatedAt)}, list ${code(version)}.`,
  ].join('\n\n')
  const pinned = pins.map(
    (pin) =>
      `| ${code(pin.name)} | ${pin.place ? code(`${pin.place.file}:${pin.place.line}`) : 'input'} | ${pin.says} |`,
  )
  const amounts = wrong.map(
    ({ name, place, field, yours, served }) =>
      `| ${code(name)} | ${code(`${place.file}:${place.line}`)} | ${field} | ${yours} | ${served} |`,
  )
  return [
    head,
    table('| Pinned model | Where | What |\n| --- | --- | --- |', pinned),
    table('| Row | Where | Amount | Yours | Served |\n| --- | --- | --- | ---: | ---: |', amounts),
  ]
    .filter(Boolean)
    .join('\n\n')
}

/** Half of the room for each table. */
function table(head: string, rows: readonly string[]): string {
  if (rows.length === 0) return ''
  let text = head
  for (const [index, row] of rows.entries()) {
    if (text.length + row.length > charsMax / 2) return `${text}\n\nAnd ${rows.length - index} more.`
    text += `\n${row}`
  }
  return text
}

/** A stranger's text as code: it ends no span and no cell, mentions nobody, and is no HTML. */
function code(text: string): string {
  return `\`${text.slice(0, 200).replaceAll(/[`|\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�')}\``
}
