// What cells are called in a database, and which tables a hub publishes.

/** Tables whose every row is the hub's: what pages, prices and their evidence are read from. */
export const feedTables = [
  'list_versions',
  'feed_pulse',
  'feed_runs',
  'feed_sources',
  'feed_claims',
  'claim_versions',
  'feed_holds',
  'scheduled_prices',
  'prices',
  'price_versions',
  'rate_cards',
  'price_standings',
  'export_files',
  'changes',
  'change_alternatives',
  'change_evidence',
] as const

/** Tables of which the hub's rows come and go by themselves: each database forgets on its own. */
export const announcedTables = ['announcements'] as const

export const publications = { feed: 'ratecard_feed', announcements: 'ratecard_announcements' } as const

/** A mark has two characters, and two that differ in case alone are refused: an installation has 1,296 cells at most. */
export const markForm = /^[0-9A-Za-z]{2}$/

const slotPrefix = 'ratecard_cell_'

/**
 * The replication slot at the hub, and the subscription in the cell: the mark, and a part that differs between two
 * databases of one mark. PostgreSQL knows no capitals there; an underscore follows each.
 */
export function slotName(mark: string, cellId: string): string {
  return `${prefixSlots(mark)}${cellId}`
}

/** How the slots of a cell begin. */
export function prefixSlots(mark: string): string {
  return `${slotPrefix}${mark.replaceAll(/[A-Z]/g, (letter) => `${letter.toLowerCase()}_`)}__`
}

/** The mark of a slot; null: it is not of a cell. */
export function parseMark(name: string): string | null {
  const [, written = ''] = /^ratecard_cell_((?:[0-9a-z]_?){2})__[0-9a-f]+$/.exec(name) ?? []
  const mark = written.replaceAll(/([a-z])_/g, (_, letter: string) => letter.toUpperCase())
  return markForm.test(mark) ? mark : null
}
