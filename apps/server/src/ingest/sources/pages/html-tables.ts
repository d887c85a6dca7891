import { parse, type DefaultTreeAdapterTypes as Tree } from 'parse5'
import { UserError } from '../../../platform/user-error.ts'
import { readMarkdownTables } from './markdown-tables.ts'
import { countBytes } from '../reading/count-bytes.ts'
import type { Row, Table } from './page.ts'

export function isHtml(text: string): boolean {
  return /^\s*<(?:!doctype|html)\b/i.test(text)
}

/** The tables of a page, as HTML or as markdown. */
export function readTables(text: string): Table[] {
  return isHtml(text) ? readHtmlTables(text) : readMarkdownTables(text)
}

/**
 * The tables of an HTML page. A cell that spans columns or rows stands in each of them. What is raised or struck out is
 * marked, `$0.25^1` and `~~$0.50~~`, so that no footnote becomes a digit, and no old price an amount.
 */
export function readHtmlTables(text: string): Table[] {
  const tables: Table[] = []
  const toByte = countBytes(text)
  let heading = ''
  const visit = (node: Tree.Node) => {
    if (/^h[1-6]$/.test(node.nodeName)) heading = readText(node)
    if (node.nodeName === 'table') {
      const [header, ...rows] = readRows(text, node, toByte)
      if (header) tables.push({ heading, header: header.cells, rows })
    } else listChildren(node).forEach(visit)
  }
  visit(parsePage(text))
  return tables
}

/** No page is nested a tenth as deep; what walks through it calls itself once for each level. */
const depthMax = 500

/** @throws UserError when elements are nested deeper than those of any page */
function parsePage(text: string): Tree.Node {
  const page = parse(text, { sourceCodeLocationInfo: true })
  let level: readonly Tree.Node[] = [page]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > depthMax)
      throw new UserError(`The page has elements that are nested more than ${depthMax} deep.`)
    level = level.flatMap(listChildren)
  }
  return page
}

/** The elements of one name, with their attributes, and where in the text they begin. */
export function readElements(
  text: string,
  name: string,
): { attributes: Record<string, string>; from: number }[] {
  const visit = (node: Tree.Node): { attributes: Record<string, string>; from: number }[] => {
    const below = listChildren(node).flatMap(visit)
    if (node.nodeName !== name || !('attrs' in node)) return below
    const attributes = Object.fromEntries(node.attrs.map((attribute) => [attribute.name, attribute.value]))
    return [{ attributes, from: node.sourceCodeLocation?.startOffset ?? 0 }, ...below]
  }
  return visit(parsePage(text))
}

function readRows(text: string, table: Tree.Node, toByte: (offset: number) => number): Row[] {
  const rows: Row[] = []
  /** Cells of rows above, by column, with the number of rows that they still span. */
  let above = new Map<number, { cell: string; rows: number }>()
  for (const row of findRows(table)) {
    const cells: string[] = []
    const below = new Map<number, { cell: string; rows: number }>()
    const add = (cell: string, rows: number) => {
      if (rows > 1) below.set(cells.length, { cell, rows: rows - 1 })
      cells.push(cell)
    }
    const addSpanned = () => {
      for (let span = above.get(cells.length); span; span = above.get(cells.length)) add(span.cell, span.rows)
    }
    for (const cell of listChildren(row).filter(({ nodeName }) => nodeName === 'td' || nodeName === 'th')) {
      addSpanned()
      const content = readText(cell)
      for (let column = 0; column < readSpan(cell, 'colspan'); column += 1) {
        add(content, readSpan(cell, 'rowspan'))
      }
    }
    addSpanned()
    above = below
    const { startOffset = 0, endOffset = 0 } = row.sourceCodeLocation ?? {}
    const from = toByte(startOffset)
    rows.push({ cells, text: text.slice(startOffset, endOffset), from, to: toByte(endOffset) })
  }
  return rows
}

function findRows(node: Tree.Node): Tree.Element[] {
  return listChildren(node).flatMap((child) => {
    if (child.nodeName === 'tr') return [child]
    return ['thead', 'tbody', 'tfoot'].includes(child.nodeName) ? findRows(child) : []
  })
}

/** The largest table that a page has, many times over. */
const spanMax = 100

function readSpan(cell: Tree.Node, name: string): number {
  const stated = 'attrs' in cell ? cell.attrs.find((attribute) => attribute.name === name)?.value : undefined
  return stated !== undefined && /^[1-9]\d{0,3}$/.test(stated) ? Math.min(spanMax, Number(stated)) : 1
}

function listChildren(node: Tree.Node): readonly Tree.Node[] {
  return 'childNodes' in node ? node.childNodes : []
}

/** The text that is seen, without what only links and lays out. */
function readText(node: Tree.Node): string {
  return readWords(node)
    .replace(/[\s\u200b]+/g, ' ')
    .trim()
}

function readWords(node: Tree.Node): string {
  if ('value' in node && node.nodeName === '#text') return node.value
  const words = listChildren(node).map(readWords).join('')
  if (node.nodeName === 'br') return ' '
  if (node.nodeName === 'sup') return `^${words.trim()}`
  return node.nodeName === 'del' || node.nodeName === 's' ? `~~${words.trim()}~~` : words
}
