import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'

export interface ChangeFacets {
  vendors: string[]
  categories: string[]
}

/** Every vendor and every category of a published change, in the order of the alphabet. */
export async function listChangeFacets(db: Db): Promise<ChangeFacets> {
  const [vendors, categories] = await Promise.all([listDistinct(db, 'vendor'), listDistinct(db, 'category')])
  return { vendors, categories }
}

/** Steps from one value to the next on an index that begins with the column: `distinct` would read every row. */
async function listDistinct(db: Db, column: 'vendor' | 'category'): Promise<string[]> {
  const value = sql.ref(column)
  const { rows } = await sql<{ value: string }>`
    with recursive found (value) as (
      (select ${value} from changes order by ${value} limit 1)
      union all
      select (select ${value} from changes where ${value} > found.value order by ${value} limit 1)
      from found where found.value is not null
    )
    select value from found where value is not null`.execute(db)
  return rows.map((row) => row.value)
}
