import { createReadStream } from 'node:fs'
import { compareBill, readBill, type BillComparison, type BillRow } from '../bill.ts'
import type { ReaderName } from '../readers.ts'
import { CliError, openCatalog, plain, readFileText, stampText, table, type Command } from './command.ts'

/** Whether a bill is what the calls of a log cost. */
export const billCommand: Command = async ({ argument, log, catalog: named, reader, json }, { out }) => {
  if (argument === undefined || log === undefined)
    throw new CliError('Name what the vendor exports, and your calls: ratecard-cost bill FILE --log LOG.')
  if (log === '-') throw new CliError('The log is read twice: name a file.')
  const bill = readBill(await readFileText(argument))
  const catalog = await openCatalog(named)
  const told = { catalog, reader: reader as ReaderName | undefined }
  const found = await compareBill(bill, { ...told, log: () => linesIn(log) })
  if (json) out(`${JSON.stringify(found, null, 2)}\n`)
  else out(comparisonText(found) + stampText(catalog.stamp()))
  return found.isEqual ? 0 : 1
}

const lineCharsMax = 8 * 2 ** 20

/** What stands in the lines of a file, one after another. */
async function* linesIn(path: string): AsyncGenerator<unknown> {
  let [rest, number] = ['', 0]
  const parsed = (line: string): unknown => {
    number += 1
    try {
      return line.trim() === '' ? undefined : JSON.parse(line)
    } catch {
      throw new CliError(
        `Line ${number} of ${path} is no JSON. A log has an answer a line: jq -c '.[]' makes it of a list.`,
      )
    }
  }
  const failed = (error: NodeJS.ErrnoException) => {
    throw error instanceof CliError
      ? error
      : new CliError(`${path} cannot be read (${error.code ?? error.message}).`)
  }
  try {
    for await (const chunk of createReadStream(path, 'utf8') as AsyncIterable<string>) {
      const lines = (rest + chunk).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > lineCharsMax)
        throw new CliError(`Line ${number + lines.length + 1} of ${path} is longer than 8 MB.`)
      for (const line of lines) {
        const value = parsed(line)
        if (value !== undefined) yield value
      }
    }
  } catch (error) {
    failed(error as NodeJS.ErrnoException)
  }
  const last = parsed(rest)
  if (last !== undefined) yield last
}

const vendors = { openai: 'OpenAI', anthropic: 'Anthropic' }

function comparisonText(found: BillComparison): string {
  const { vendor, form, unit, firstDay, lastDay, calls, left, rows, unread } = found
  const of = unit === 'count' ? 'in tokens and searches' : `in ${plain(unit)}`
  const parts = [
    `${vendors[vendor]}'s ${form} of ${firstDay} to ${lastDay} (UTC), ${of}, beside ${calls} calls.\n\n`,
  ]
  const open = rows.filter(({ state }) => state !== 'equal')
  const header = ['Day', 'Model', 'Billed', 'Computed', 'Difference', 'Why']
  const lines = open.map((row) => [
    row.day,
    row.model ?? row.item ?? 'all models',
    short(row.billed),
    `${row.isWhole ? '' : 'at least '}${short(row.computed)}`,
    short(row.difference),
    whyText(row),
  ])
  if (open.length > 0) parts.push(table([header, ...lines], [2, 3, 4]), '\n')
  parts.push(`${rows.length - open.length} of ${rows.length} rows are equal.\n`)
  parts.push(
    `Billed ${short(found.billed)}, computed ${short(found.computed)}: difference ${short(found.difference)}.\n`,
  )
  for (const message of new Set(open.flatMap(({ unpriced }) => unpriced)))
    parts.push(`No price: ${plain(message)}\n`)
  if (left.elsewhere > 0) parts.push(`Left out: ${left.elsewhere} calls that were paid elsewhere.\n`)
  if (left.otherDays > 0) parts.push(`Left out: ${left.otherDays} calls of days that are not on the bill.\n`)
  if (left.notReported > 0)
    parts.push(`Left out: ${left.notReported} calls of the priority tier, which this report does not have.\n`)
  if (unread.length > 0)
    parts.push(`Not read, since no form of the bill is known to have it: ${unread.map(plain).join(', ')}.\n`)
  return parts.join('')
}

function whyText({ causes, wouldFit, difference, isWhole }: BillRow): string {
  if (causes.length > 1)
    return causes.map(({ kind, says, amount }) => `${nameKind(kind)}: ${says} (${short(amount)})`).join('; ')
  if (causes.length === 1) return `${nameKind(causes[0]!.kind)}: ${causes[0]!.says}`
  const open = isWhole ? `not explained: ${short(difference)}` : 'not computed: some calls have no price'
  return wouldFit.length === 0 ? open : `${open}; would fit: ${wouldFit.join(', or: ')}`
}

function nameKind(kind: string): string {
  return kind.replaceAll('_', ' ')
}

/** To a millionth, for people; the document has all digits. */
function short(amount: string): string {
  const [whole = '', part = ''] = amount.split('.')
  if (part.length <= 6) return amount
  const rounded = Number(amount)
    .toFixed(6)
    .replace(/\.?0+$/, '')
  return Number(rounded) === 0 ? `about 0` : whole.length > 9 ? amount : rounded
}
