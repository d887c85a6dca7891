import { costOf, sumOf, type AnswerOptions, type Cost } from '../index.ts'
import {
  CliError,
  inCliWords,
  openCatalog,
  parseJson,
  plain,
  stampText,
  table,
  readFileText,
  type Command,
} from './command.ts'

/** What the usages of a file cost. */
export const costCommand: Command = async (words, { out }) => {
  const { usage: path, catalog: named, json, argument } = words
  if (argument !== undefined) throw new CliError('Name the file with --usage FILE.')
  if (path === undefined) throw new CliError('Name a file of usages: --usage FILE, or - for stdin.')
  const answers = answersIn(await readFileText(path), path)
  const catalog = await openCatalog(named)
  const { model, platform, tier, region, at, reader } = words
  const told = {
    catalog,
    ...{ model, platform, tier, region, at, reader },
    cacheTtl: words['cache-ttl'],
    overrides: words.overrides && parseJson(await readFileText(words.overrides), words.overrides),
    preferReported: words['prefer-reported'],
  } as AnswerOptions
  const costs = answers.map((answer, index) => {
    try {
      return costOf(answer, told)
    } catch (error) {
      throw new CliError(`Usage ${index + 1} of ${path}: ${(error as Error).message}`)
    }
  })
  const sums = sumOf(costs)
  const isWhole = costs.every((cost) => cost.isWhole)
  if (json) out(`${JSON.stringify({ costs, sums }, null, 2)}\n`)
  else {
    for (const cost of costs) out(costText(cost))
    for (const { count, currency, ...sum } of sums) {
      const [amount, least] = sum.isWhole ? [sum.total, ''] : [sum.atLeast, ', and what has no price']
      out(`${count === 1 ? 'Total' : `Total of ${count}`}: ${amount} ${plain(currency)}${least}\n`)
    }
    out(stampText(catalog.stamp()))
  }
  return isWhole ? 0 : 1
}

function costText({ lines, unpriced, resourceId, doubts, source, reported }: Cost): string {
  const rows = lines.map(({ meter, variant, count, rate, unit, amount }) => [
    variant === null ? meter : `${meter} (${variant})`,
    count,
    `${rate} per ${unit}`,
    amount,
  ])
  const open = unpriced.map(({ meter, variant, count, reason }) => [
    variant === null ? meter : `${meter} (${variant})`,
    count,
    reason.replaceAll('_', ' '),
    'unknown',
  ])
  const said = [...new Set(unpriced.map(({ message }) => message))].map(
    (message) => `  ${plain(inCliWords(message))}\n`,
  )
  const doubted = doubts.length === 0 ? '' : `  In doubt: ${doubts.join(', ').replaceAll('_', ' ')}.\n`
  const paid =
    source === 'reported' && reported ? `  Reported: ${reported.amount} ${plain(reported.currency)}\n` : ''
  return `${plain(resourceId ?? 'No record')}\n${table([...rows, ...open], [1, 3])}${said.join('')}${doubted}${paid}\n`
}

const answersMax = 100_000

/** One document, a list, or a line for each. */
function answersIn(text: string, path: string): unknown[] {
  const answers = documentIn(text) ?? text.split('\n').flatMap((line, index) => lineIn(line, index, path))
  if (answers.length === 0) throw new CliError(`${path} has no usage.`)
  if (answers.length > answersMax) throw new CliError(`${path} has more than ${answersMax} usages: split it.`)
  return answers
}

function documentIn(text: string): unknown[] | undefined {
  try {
    const document = JSON.parse(text) as unknown
    return Array.isArray(document) ? (document as unknown[]) : [document]
  } catch {
    return undefined
  }
}

function lineIn(line: string, index: number, path: string): unknown[] {
  return line.trim() === '' ? [] : [parseJson(line, `Line ${index + 1} of ${path}`)]
}
