import { pageOf, serve, type Reply } from './server.ts'

/** What the helpers need of a price or a change. */
export interface Row {
  id: string
  resource_id: string
  updated_at: string
}

export function row(id: string, second: number): Row {
  return { id, resource_id: id, updated_at: `2026-11-20T06:00:${String(second).padStart(2, '0')}.000000Z` }
}

/** A list that behaves like the service: newest first, `since` inclusive, pages of two. `trouble` answers in its place. */
export async function service(rows: Row[], trouble: (count: number) => Reply | undefined = () => undefined) {
  return serve(({ query }, count) => {
    const instead = trouble(count)
    if (instead !== undefined) return instead
    // A Date has three decimals where rows have six.
    const since = (query.get('since') ?? '').replace(/(\.\d{3})Z$/, '$1000Z')
    const cursor = query.get('cursor')
    const found = rows
      .filter(({ updated_at }) => updated_at >= since && (cursor === null || updated_at < cursor))
      .sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1))
    return pageOf(found.slice(0, 2), found.length > 2 ? found[1]!.updated_at : undefined)
  })
}

export async function take<T>(source: AsyncIterable<T>, count: number): Promise<T[]> {
  const taken: T[] = []
  for await (const one of source) if (taken.push(one) >= count) break
  return taken
}

/** How a checkpoint is written. */
export const checkpointOf = ({ id, updated_at }: Row) => `${updated_at} ${JSON.stringify([id])}`

export const ids = (rows: { id: string }[]) => rows.map(({ id }) => id)

export const resourceIds = (rows: { resource_id: string }[]) => rows.map(({ resource_id }) => resource_id)
