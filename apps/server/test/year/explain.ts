import { CompiledQuery } from 'kysely'
import pg from 'pg'
import type { Db } from '../../src/database/connect.ts'

// Plans of statements as their functions send them.

export interface Statement {
  text: string
  values: readonly unknown[]
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

export interface Explained {
  ms: number
  rows: number
  /** Blocks of 8 KiB, in memory or not. */
  blocks: number
  /** Tables that are read from end to end. */
  scanned: string[]
  /** The nodes that touch tables, in a line. */
  plan: string
}

/** What a function sends, by the driver's method. What it writes stays. */
export async function captureStatements(ask: () => Promise<unknown>): Promise<Statement[]> {
  const found: Statement[] = []
  const { prototype } = pg.Client
  // eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with its own `this`
  const original = prototype.query as (this: pg.Client, ...args: unknown[]) => unknown
  const spy = function (this: pg.Client, ...args: unknown[]): unknown {
    const [first, second] = args
    const query = first as string | { text: string; values?: unknown[] }
    const { text, values } = typeof query === 'string' ? { text: query, values: second as unknown[] } : query
    if (/^\s*(select|with|insert|update|delete)\b/i.test(text) && !/set_config/.test(text))
      found.push({ text, values: Array.isArray(values) ? values : [] })
    return original.apply(this, args)
  }
  prototype.query = spy as never
  try {
    await ask()
  } finally {
    prototype.query = original as never
  }
  return found
}

class Undone extends Error {}

/** Runs a statement twice, and undoes it: the second time what it reads is in memory. */
export async function explainStatement(db: Db, { text, values }: Statement): Promise<Explained> {
  let last: { Plan: PlanNode; 'Execution Time': number } | undefined
  for (let run = 0; run < 2; run += 1) {
    await db
      .transaction()
      .execute(async (trx) => {
        const { rows } = await trx.executeQuery<{ 'QUERY PLAN': [typeof last] }>(
          CompiledQuery.raw(`explain (analyze, buffers, format json) ${text}`, [...values]),
        )
        last = rows[0]?.['QUERY PLAN'][0]
        throw new Undone()
      })
      .catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error
      })
  }
  if (!last) throw new Error('PostgreSQL did not explain.')
  const nodes = listNodes(last.Plan)
  const touching = nodes.filter((node) => node['Relation Name'] ?? node['Index Name'])
  return {
    ms: last['Execution Time'],
    rows: last.Plan['Actual Rows'],
    blocks: last.Plan['Shared Hit Blocks'] + last.Plan['Shared Read Blocks'],
    scanned: touching
      .filter((node) => node['Node Type'] === 'Seq Scan' && node['Actual Loops'] > 0)
      .map((node) => node['Relation Name']!),
    plan: [
      ...new Set(
        touching.map(
          (node) =>
            `${node['Node Type'].replace('Index', 'I.')} ${node['Index Name'] ?? node['Relation Name']}`,
        ),
      ),
    ].join(', '),
  }
}

function listNodes(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(listNodes)]
}
