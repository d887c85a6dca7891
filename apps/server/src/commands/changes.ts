import { formatCount } from '@ratecard/contract/wording'
import { Option } from 'commander'
import type { Db } from '../database/connect.ts'
import { listEvidence, type ChangeEvidence } from '../features/changes/change-evidence.ts'
import { findChange, listChanges, type StoredChange } from '../features/changes/change-store.ts'
import { parseChanges } from '../features/changes/change-input.ts'
import { publishWithAlerts } from '../features/webhooks/publish-alerts.ts'
import { publicUrl } from '../platform/config.ts'
import { atomEntry, atomFeedEnd, atomFeedStart } from '../features/changes/atom.ts'
import { countArgument, readJsonFile, timeArgument } from './arguments.ts'
import { say, withAlerts, type CommandGroup } from './command.ts'
import { UserError } from '../platform/user-error.ts'
import {
  cutAt,
  print,
  printCut,
  printList,
  shortTime,
  formatTable,
  writeOut,
  type Column,
  type OutputOptions,
} from './output.ts'

const listMax = 10_000

const evidenceColumns: readonly Column<ChangeEvidence>[] = [
  'source',
  'version',
  ['row', 'source_key'],
  'field',
  ['states', 'amount'],
  ['before', 'amount_before'],
  ['since (UTC)', ({ since }) => shortTime(since)],
  ['read (UTC)', ({ last_seen }) => shortTime(last_seen)],
]
const quoteColumn: Column<ChangeEvidence> = ['in its words', 'quote']

export const changeCommands: CommandGroup = (program) => {
  const changes = program.command('changes').description('Published vendor price and API changes')

  changes
    .command('publish')
    .description('Publish the changes of a file, all or none')
    .argument('<file>', 'JSON: one change, or an array of them')
    .option('--no-alert', 'Tell no webhook')
    .notes(
      `
Fields as in the API, less those that are assigned (access, created_at, updated_at). Required: vendor, product,
modality, category, severity, title, summary, impact_score. May also have: id, alternatives, source_url.`,
    )
    .onDatabase(async (context, file: string, options: OutputOptions & { alert: boolean }) => {
      const { db, config } = context
      const inputs = parseChanges(await readJsonFile(config, file))
      const { ids, deliveries } = await withAlerts(context, options, (alerts) =>
        db.transaction().execute((trx) => publishWithAlerts(trx, inputs, { alerts })),
      )
      const published = ids.map((id, index) => ({ id, title: inputs[index]?.title ?? '' }))
      printList(published, options, '', [['published', 'id'], 'title'])
      if (!options.json) say(`${formatCount(deliveries, 'delivery', 'deliveries')} queued.`)
    })

  changes
    .command('list')
    .description('List published changes, newest first, incidents too')
    .option('--limit <count>', 'How many at most', countArgument(listMax), 50)
    .onDatabase(async ({ db }, options: OutputOptions & { limit: number }) => {
      const { limit } = options
      const { rows } = await listChanges(db, { include_incidents: true }, { cursor: null, limit: limit + 1 })
      printCut(cutAt(rows, limit, listMax), options, 'No changes yet: ratecard changes publish FILE.json', [
        'id',
        'severity',
        'category',
        'product',
        'title',
        ['published (UTC)', (change) => shortTime(change.created_at)],
      ])
    })

  changes
    .command('show')
    .description('Show a change, and what each source said when it was published')
    .argument('<id>', 'The change')
    .onDatabase(async ({ db }, id: string, options: OutputOptions) => {
      const change = await findChange(db, id)
      if (!change) throw new UserError(`No change has the id "${id}": ratecard changes list shows them.`)
      const evidence = await listEvidence(db, id, null)
      print({ ...change, evidence }, options, () =>
        [
          `${change.title}\n\n${change.summary}`,
          evidence.length === 0
            ? 'It was published by hand: it has no evidence.'
            : formatTable(
                evidence,
                evidence.some(({ quote }) => quote !== null)
                  ? [...evidenceColumns, quoteColumn]
                  : evidenceColumns,
              ),
        ].join('\n\n'),
      )
    })

  changes
    .command('export')
    .description('Write all published changes to stdout, newest first, incidents too')
    .addOption(
      new Option('--format <name>', 'One JSON document per line, or a feed for feed readers')
        .choices(['jsonl', 'atom'])
        .default('jsonl'),
    )
    .option('--since <time>', 'Only those published or changed since then', timeArgument)
    .notes(
      `
Links lead to PUBLIC_URL/changes/ID. With --json it is one JSON array.

Examples:
  ratecard changes export > changes.jsonl
  ratecard changes export --format atom --since 2026-07-01 > changes.atom`,
    )
    .onDatabase(
      async ({ db, config }, options: OutputOptions & { format: 'jsonl' | 'atom'; since?: string }) => {
        const base = publicUrl(config, config.PORT)
        const batches = listAllChanges(db, options.since)
        if (options.json) await writeOut(jsonArray(batches))
        else await writeOut(options.format === 'atom' ? atomFeed(batches, base) : jsonLines(batches))
      },
    )
}

const exportBatch = 500

/** Every change, a batch at a time. */
async function* listAllChanges(db: Db, since: string | undefined): AsyncGenerator<StoredChange[]> {
  let cursor = null
  do {
    const page = await listChanges(db, { include_incidents: true, since }, { cursor, limit: exportBatch })
    if (page.rows.length > 0) yield page.rows
    cursor = page.next
  } while (cursor !== null)
}

async function* jsonLines(batches: AsyncIterable<StoredChange[]>): AsyncGenerator<string> {
  for await (const changes of batches) yield changes.map((change) => `${JSON.stringify(change)}\n`).join('')
}

async function* jsonArray(batches: AsyncIterable<StoredChange[]>): AsyncGenerator<string> {
  let before = '['
  for await (const changes of batches) {
    yield before + changes.map((change) => JSON.stringify(change)).join(',\n')
    before = ',\n'
  }
  yield before === '[' ? '[]\n' : ']\n'
}

async function* atomFeed(batches: AsyncIterable<StoredChange[]>, baseUrl: string): AsyncGenerator<string> {
  let isBegun = false
  for await (const changes of batches) {
    if (!isBegun) yield atomFeedStart(baseUrl, changes[0]?.updated_at)
    isBegun = true
    yield changes.map((change) => atomEntry(change, baseUrl)).join('')
  }
  if (!isBegun) yield atomFeedStart(baseUrl, undefined)
  yield atomFeedEnd
}
