/** How a page writes the rows of its tables, so that they can be taken apart and put together in another way. */
export interface PageForm {
  row: RegExp
  cell: RegExp
  /** Rows at the beginning of a table that are its header. */
  headerRows: number
  /** Whether models stand side by side above the table, and not below each other. */
  isAcross?: boolean
  /** What an inserted cell holds. */
  fillers: readonly string[]
}

export const markdownForm: PageForm = {
  row: /^\|.*\|$/gm,
  cell: /(?<=\|)[^|\n]*(?=\|)/g,
  headerRows: 2,
  fillers: [' - ', ' Note ', ' '],
}
export const acrossForm: PageForm = { ...markdownForm, headerRows: 3, isAcross: true }
export const htmlForm: PageForm = {
  row: /<tr>.*?<\/tr>/gs,
  cell: /<td[^>]*>.*?<\/td>/gs,
  headerRows: 1,
  isAcross: true,
  fillers: ['<td>-</td>', '<td></td>'],
}
export const arrayForm: PageForm = {
  row: /^ *\[".*\],$/gm,
  cell: /(?<=\[|, )(?:"[^"]*"|[^",[\]]+)(?=,|\])/g,
  headerRows: 0,
  fillers: ['"-"', 'null', '""'],
}
export const islandForm: PageForm = {
  row: /\[1,\[\[0,&quot;.*?\]\]\]/g,
  cell: /\[0,[^\]]*\]/g,
  headerRows: 0,
  fillers: ['[0,&quot;-&quot;]', '[0,null]'],
}

export const htmlRowsForm: PageForm = { ...htmlForm, isAcross: false }
export const docTableForm: PageForm = {
  row: /^\[".*\],$/gm,
  cell: /"[^"\\]*"|<>\{"\$"\}[^<>{}]*<\/>/g,
  headerRows: 0,
  fillers: ['"-"', '""'],
}
/** Models as JSON in the text of a script. */
export const scriptForm: PageForm = {
  row: /\{(?:[^{}]|\{[^{}]*\})*\\"promptTextTokenPrice\\"(?:[^{}]|\{[^{}]*\})*\}/g,
  cell: /\\"\w+\\":(?:\\"[^"\\]*\\"|\d+)/g,
  headerRows: 0,
  fillers: ['\\"note\\":\\"1\\"'],
}

interface Cells {
  cells: string[]
  /** What stands before each cell, and after the last. */
  between: string[]
}
interface Block {
  before: string
  rows: Cells[]
}

/** Rows of one table follow each other with nothing but blanks and commas between them. */
function takeApart(text: string, form: PageForm): { blocks: Block[]; after: string } {
  const blocks: Block[] = []
  let end = 0
  for (const row of text.matchAll(form.row)) {
    const gap = text.slice(end, row.index)
    const cells = [...row[0].matchAll(form.cell)]
    const edges = cells.map((cell, index) => {
      const last = cells[index - 1]
      return row[0].slice(last ? last.index + last[0].length : 0, cell.index)
    })
    const last = cells.at(-1)
    const taken = {
      cells: cells.map(([cell]) => cell),
      between: [...edges, row[0].slice(last ? last.index + last[0].length : 0)],
    }
    const block = blocks.at(-1)
    if (block && /^[\s,]*$/.test(gap) && !gap.includes('\n\n'))
      block.rows.push({ ...taken, between: [gap + taken.between[0]!, ...taken.between.slice(1)] })
    else blocks.push({ before: gap, rows: [taken] })
    end = row.index + row[0].length
  }
  return { blocks, after: text.slice(end) }
}

function putTogether({ blocks, after }: ReturnType<typeof takeApart>): string {
  return blocks.map(({ before, rows }) => before + rows.map(joinRow).join('')).join('') + after
}

function joinRow({ cells, between }: Cells): string {
  return between.map((edge, index) => edge + (cells[index] ?? '')).join('')
}

export type Random = () => number

/** Numbers from 0 to 1, the same ones for the same seed. */
export function seedRandom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const pick = <Item>(items: readonly Item[], random: Random): Item =>
  items[Math.floor(random() * items.length)]!

const isAmount = (cell: string) =>
  /\d/.test(cell) && /^\D*[$\d]/.test(cell) && !/[a-z]{3}-|Claude|TOKENS|tokens|^"|&quot;/.test(cell)

/** Changes the tables of a page; several at once where it is given several. */
type Change = (blocks: Block[], form: PageForm, random: Random) => void

function bodyOf({ rows }: Block, form: PageForm): Cells[] {
  return rows.slice(Math.min(form.headerRows, rows.length - 1))
}

/** Of each row the places, counted from the end: in a table with spanned cells that is the same column. */
function swapColumns(rows: readonly Cells[], a: number, b: number): void {
  for (const { cells } of rows) {
    const [i, j] = [cells.length - 1 - a, cells.length - 1 - b]
    if (i < 0 || j < 0) continue
    const [left, right] = [cells[i]!, cells[j]!]
    cells[i] = right
    cells[j] = left
  }
}

function chooseColumns({ rows }: Block, random: Random): [number, number] {
  const width = Math.max(...rows.map(({ cells }) => cells.length))
  const a = Math.floor(random() * width)
  return [a, (a + 1 + Math.floor(random() * (width - 1))) % width]
}

/** Each row has the first cell of the one before it. */
function shiftNames(rows: readonly Cells[]): void {
  const names = rows.map(({ cells }) => cells[0]!)
  for (const [index, { cells }] of rows.entries()) cells[0] = names.at(index - 1)!
}

function replaceAmount(block: Block, form: PageForm, random: Random, change: (cell: string) => string): void {
  const places = bodyOf(block, form).flatMap((row) =>
    row.cells.flatMap((cell, index) => (isAmount(cell) ? [{ row, index }] : [])),
  )
  if (places.length === 0) return
  const { row, index } = pick(places, random)
  row.cells[index] = change(row.cells[index]!)
}

const replaceAll = (blocks: readonly Block[], change: (cell: string) => string) => {
  for (const { rows } of blocks) for (const row of rows) row.cells = row.cells.map(change)
}

const currencies: [RegExp, string[]][] = [
  [/\$/g, ['€', '£', '¥', '']],
  [/元/g, ['$', '€', '']],
]
const changeCurrency = (random: Random) => {
  const chosen = random()
  return (cell: string) =>
    currencies.reduce(
      (text, [sign, others]) => text.replace(sign, others[Math.floor(chosen * others.length)]!),
      cell,
    )
}
const changeUnit = (cell: string) => cell.replace('MTok', 'KTok').replace('1M ', '1K ').replace('百万', '千')

/** What goes wrong with a page, by name. */
const changes: Readonly<Record<string, Change>> = {
  'columns swapped with their header': (blocks, _, random) => {
    for (const block of blocks) swapColumns(block.rows, ...chooseColumns(block, random))
  },
  'columns of cells swapped': (blocks, form, random) => {
    for (const block of blocks) swapColumns(bodyOf(block, form), ...chooseColumns(block, random))
  },
  'the same columns of cells swapped in every table': (blocks, form, random) => {
    const columns = chooseColumns(blocks[0]!, random)
    for (const block of blocks) swapColumns(bodyOf(block, form), ...columns)
  },
  'a column inserted with its header': (blocks, form, random) => {
    for (const block of blocks) insertColumn(block.rows, form, random)
  },
  'a column of cells inserted': (blocks, form, random) => {
    for (const block of blocks) insertColumn(bodyOf(block, form), form, random)
  },
  'a header word renamed': (blocks, form, random) => {
    const block = blocks[0]!
    const labels = block.rows.flatMap((row, at) =>
      row.cells.flatMap((cell, index) =>
        (at < form.headerRows || form.isAcross) && /[A-Za-z入出]/.test(cell) && !isAmount(cell)
          ? [{ row, index }]
          : [],
      ),
    )
    if (labels.length === 0) return
    const { row, index } = pick(labels, random)
    row.cells[index] = pick(
      ['Cost', row.cells[index]!.toLowerCase(), `${row.cells[index]!}s`, 'Output Tokens', '1M OUTPUT TOKENS'],
      random,
    )
  },
  'names shifted by a row': (blocks, form) => {
    for (const block of blocks) shiftNames(bodyOf(block, form))
  },
  'models above shifted': (blocks, form) => {
    for (const { rows } of blocks) {
      const header = rows[form.headerRows - 1]
      if (!form.isAcross || !header) continue
      const [last, ...others] = header.cells.slice(-2).reverse()
      header.cells.splice(-2, 2, last!, ...others)
    }
  },
  'a digit glued to an amount': (blocks, form, random) => {
    replaceAmount(blocks[0]!, form, random, (cell) =>
      cell.replace(/\d+(?:\.\d+)?(?=\D*$)/, (number) => `${number}${pick([...'123456789'], random)}`),
    )
  },
  'a footnote behind a cell': (blocks, form, random) => {
    const mark = pick(['1', '(1)', '<sup>1</sup>', ' *'], random)
    replaceAmount(blocks[0]!, form, random, (cell) => cell.replace(/(\s*)((?:<\/td>|\])?)$/, `${mark}$1$2`))
  },
  'the currency of an amount changed': (blocks, form, random) => {
    replaceAmount(blocks[0]!, form, random, changeCurrency(random))
  },
  'the currency of all amounts changed': (blocks, _, random) => {
    replaceAll(blocks, changeCurrency(random))
  },
  'the unit of an amount changed': (blocks, form, random) => {
    replaceAmount(blocks[0]!, form, random, changeUnit)
  },
  'the unit of all amounts changed': (blocks) => {
    replaceAll(blocks, changeUnit)
  },
  'a row duplicated': (blocks, form, random) => {
    const block = blocks[0]!
    const row = pick(bodyOf(block, form), random)
    block.rows.splice(block.rows.indexOf(row), 0, structuredClone(row))
  },
  'a row duplicated with the amounts of another': (blocks, form, random) => {
    const block = blocks[0]!
    const [row, other] = [
      pick(bodyOf(block, form), random),
      structuredClone(pick(bodyOf(block, form), random)),
    ]
    other.cells[0] = row.cells[0]!
    block.rows.splice(block.rows.indexOf(row), 0, other)
  },
  'rows deleted': (blocks, form, random) => {
    const block = blocks[0]!
    for (
      let count = 1 + Math.floor(random() * 3);
      count > 0 && block.rows.length > form.headerRows + 1;
      count -= 1
    )
      block.rows.splice(block.rows.indexOf(pick(bodyOf(block, form), random)), 1)
  },
  'amounts of two rows swapped': (blocks, form, random) => {
    const body = bodyOf(blocks[0]!, form)
    const [a, b] = [pick(body, random), pick(body, random)]
    const [left, right] = [[...a.cells], [...b.cells]]
    a.cells = [left[0]!, ...right.slice(1)]
    b.cells = [right[0]!, ...left.slice(1)]
  },
  'an amount of another row': (blocks, form, random) => {
    const all = bodyOf(blocks[0]!, form).flatMap(({ cells }) => cells.filter(isAmount))
    if (all.length > 0) replaceAmount(blocks[0]!, form, random, () => pick(all, random))
  },
}

function insertColumn(rows: readonly Cells[], { fillers }: PageForm, random: Random): void {
  const place = Math.floor(random() * 6)
  // Empty, or the cell before it once more.
  const filler = pick([...fillers, null], random)
  for (const row of rows) {
    const at = Math.max(0, row.cells.length - place)
    row.between.splice(at + 1, 0, row.between[Math.min(1, row.between.length - 1)]!)
    row.cells.splice(at, 0, filler ?? row.cells[Math.max(0, at - 1)] ?? '')
  }
}

/** Sentences on which a whole page rests. */
const sentences: [RegExp, string][] = [
  [/All prices are in USD/g, 'All prices are in CAD'],
  [/Prices per 1M tokens/g, 'Prices per 1K tokens'],
  [/in units of per 1M tokens/g, 'in units of per 1K tokens'],
  [/以“百万 tokens”为单位/g, '以“千 tokens”为单位'],
  [/Paid Tier, per 1M tokens in USD/g, 'Paid Tier, per 1M tokens in EUR'],
  [/the cost per 1M tokens consumed/g, 'the cost per 1K tokens consumed'],
  [/每消耗 1M tokens 的价格/g, '每消耗 1K tokens 的价格'],
]

export interface Mutation {
  name: string
  text: string
}

/**
 * A page with one fault, in one of its tables or in all.
 * @param isRead whether a row is one of those that are read; faults elsewhere show nothing
 */
export function mutatePage(
  text: string,
  form: PageForm,
  isRead: (row: string) => boolean,
  random: Random,
): Mutation {
  const name = pick([...Object.keys(changes), 'the page cut', 'a sentence changed'], random)
  if (name === 'the page cut') return { name, text: text.slice(0, Math.floor(random() * text.length)) }
  if (name === 'a sentence changed')
    return { name, text: sentences.reduce((page, [found, other]) => page.replace(found, other), text) }
  const page = takeApart(text, form)
  const read = page.blocks.filter(({ rows }) => rows.some((row) => isRead(joinRow(row))))
  changes[name]!(random() < 0.3 ? read : [pick(read, random)], form, random)
  return { name, text: putTogether(page) }
}
