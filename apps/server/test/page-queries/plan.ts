import { CompiledQuery, sql } from 'kysely'
import type { Db } from '../../src/database/connect.ts'
import type { PageCase } from './cases.ts'
import type { Explainable } from './table.ts'

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  Plans?: PlanNode[]
}

interface Explained {
  Plan: PlanNode
  'Planning Time': number
  'Execution Time': number
}

export interface PlanReport {
  rows: number
  planningMs: number
  executionMs: number
  /** The nodes that touch the table, in a line. */
  summary: string
  /** The faults of the plan; empty when it only walks indexes. */
  faults: string[]
}

export interface PlanLimits {
  /** Most rows that may go into a sort. */
  sortedRows: number
  /** Most rows that may be fetched through a bitmap, or fetched and then thrown away. */
  strayRows: number
}

/** Runs the page's query under EXPLAIN and judges its plan. */
export async function explainPage(
  db: Db,
  { table, filter, cursor, left }: PageCase,
  limit: number,
  limits: PlanLimits,
): Promise<PlanReport> {
  const query = table.compile(db, filter, cursor, limit)
  const canPrepare = table.canPrepare(filter, cursor)
  const explained = await (canPrepare ? explainForAnyValues(db, query) : explain(db, query))

  const nodes = listNodes(explained.Plan)
  const faults = nodes.flatMap((node) => faultsOf(node, limits))
  const rows = explained.Plan['Actual Rows']
  const wanted = Math.min(left, limit + 1)
  if (rows !== wanted) faults.push(`${rows} rows where ${wanted} match`)
  return {
    rows,
    planningMs: explained['Planning Time'],
    executionMs: explained['Execution Time'],
    summary: summarise(nodes),
    faults,
  }
}

async function explain(db: Db, { sql: text, parameters }: Explainable): Promise<Explained> {
  const query = CompiledQuery.raw(`explain (analyze, format json) ${text}`, [...parameters])
  return readPlan((await db.executeQuery<Answer>(query)).rows)
}

/** With the plan that a connection keeps. */
async function explainForAnyValues(db: Db, { sql: text, parameters }: Explainable): Promise<Explained> {
  const values = parameters.length > 0 ? sql`(${sql.join(parameters.map((value) => sql.lit(value)))})` : sql``
  return db.transaction().execute(async (trx) => {
    await sql`set local plan_cache_mode = force_generic_plan`.execute(trx)
    await trx.executeQuery(CompiledQuery.raw(`prepare page as ${text}`))
    const { rows } = await sql<Answer>`explain (analyze, format json) execute page ${values}`.execute(trx)
    await sql`deallocate page`.execute(trx)
    return readPlan(rows)
  })
}

interface Answer {
  'QUERY PLAN': [Explained]
}

function readPlan(rows: Answer[]): Explained {
  const explained = rows[0]?.['QUERY PLAN'][0]
  if (!explained) throw new Error('PostgreSQL did not explain.')
  return explained
}

function listNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)]
}

function faultsOf(node: PlanNode, { sortedRows, strayRows }: PlanLimits): string[] {
  const kind = node['Node Type']
  if (kind === 'Seq Scan') return [`Seq Scan on ${node['Relation Name']}`]
  if (kind.includes('Sort')) {
    const sorted = (node.Plans ?? []).reduce((sum, input) => sum + rowsOf(input), 0)
    return sorted > sortedRows ? [`${kind} of ${sorted} rows`] : []
  }
  const thrown = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0)
  const stray = thrown * node['Actual Loops'] + (kind === 'Bitmap Heap Scan' ? rowsOf(node) : 0)
  return stray > strayRows ? [`${kind} visits ${stray} rows besides`] : []
}

function rowsOf(node: PlanNode): number {
  return Math.round(node['Actual Rows'] * node['Actual Loops'])
}

function summarise(nodes: readonly PlanNode[]): string {
  const parts = nodes
    .filter(
      (node) => /Scan|Sort|Merge Append/.test(node['Node Type']) && node['Node Type'] !== 'Subquery Scan',
    )
    .map((node) => {
      const kind = node['Node Type'].replace('Index Scan', 'Index')
      return [kind, node['Index Name'] ?? node['Relation Name']].filter(Boolean).join(' ')
    })
  const counts = new Map<string, number>()
  for (const part of parts) counts.set(part, (counts.get(part) ?? 0) + 1)
  return [...counts].map(([part, count]) => (count > 1 ? `${count} x ${part}` : part)).join(', ')
}
