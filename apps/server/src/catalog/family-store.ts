import { sql } from 'kysely'
import type { Db } from '../database/connect.ts'
import { groupFamilies, type NamedModel } from './model-family.ts'

/** All products that stand on the page of one of these, by its name. */
export async function readFamilies(
  db: Db,
  names: readonly string[],
): Promise<{ name: string; product: string }[]> {
  const { rows } = await sql<Omit<NamedModel, 'rows'>>`
    select coalesce(product_id, resource_id) as id, product_id is not null as "isProduct",
      (array_agg(vendor order by resource_id))[1] as vendor
    from prices where vendor in (select vendor from prices where product_id = any(${names}::text[]))
    group by 1, 2`.execute(db)
  const families = await groupFamilies(rows.map((row) => ({ ...row, rows: [] })))
  const asked = new Set(names)
  return families.flatMap((family) =>
    family
      .filter(({ id }) => asked.has(id))
      .flatMap(({ id: name }) => family.map(({ id: product }) => ({ name, product }))),
  )
}
