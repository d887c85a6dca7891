import type { Registry } from 'prom-client'
import { labelledGauge, readGauge, sharing } from './gauge.ts'

interface CellFigures {
  /** Null: this database is no cell. */
  feedAge: () => Promise<{ seconds: number | null } | null>
  /** Of cells at this database, as their hub. */
  slots: () => Promise<
    { mark: string; active: boolean; held_bytes: number | null; lag_bytes: number | null }[]
  >
}

/** Of the database, so every worker has the same: `max` makes them one. */
export function createCellFigures(registry: Registry) {
  let watched: CellFigures | null = null
  readGauge(registry, {
    name: 'ratecard_cell_feed_age_seconds',
    help: 'How far the prices of this cell are behind those of its hub, by the pulse of the hub that it had last. None where no hub is followed.',
    aggregator: 'max',
    read: async () => (await watched?.feedAge())?.seconds ?? null,
  })
  const ofSlots = (
    name: string,
    help: string,
    pickValue: (slot: Awaited<ReturnType<CellFigures['slots']>>[number]) => number | null,
  ) =>
    labelledGauge(registry, {
      name,
      help,
      labels: ['cell'],
      aggregator: 'max',
      rows: async () => (await watched?.slots()) ?? [],
      listValues: (slot) => [{ labels: { cell: slot.mark }, value: pickValue(slot) }],
    })
  ofSlots('ratecard_cell_connected', 'At a hub: whether the cell is connected to it, 1 or 0.', ({ active }) =>
    Number(active),
  )
  ofSlots(
    'ratecard_cell_lag_bytes',
    'At a hub: bytes of its log that the cell has not confirmed.',
    ({ lag_bytes }) => lag_bytes,
  )
  ofSlots(
    'ratecard_cell_held_bytes',
    'At a hub: bytes of its log that it keeps for the cell. None where they are lost, and the cell has to join again.',
    ({ held_bytes }) => held_bytes,
  )
  return {
    /** Where the figures of cells come from, once a worker runs here. */
    watchCells({ feedAge, slots }: CellFigures): void {
      watched = { feedAge, slots: sharing(slots) }
    },
  }
}
