import { listChangePage } from '../features/changes/change-store.ts'
import { parseChanges } from '../features/changes/change-input.ts'
import { createBodyCheck } from '../features/webhooks/alert-schema.ts'
import { publishWithAlerts, type AlertOptions } from '../features/webhooks/publish-alerts.ts'
import { loadContract } from '../platform/contract.ts'
import { publicUrls } from '../platform/config.ts'
import { countArgument, parseJsonArgument, readArgumentFile } from './arguments.ts'
import { say, withDatabase, withQueue, type CommandGroup } from './command.ts'
import { printList, shortTime, type OutputOptions } from './output.ts'

const listMax = 10_000

export const changeCommands: CommandGroup = (program) => {
  const changes = program.command('changes').description('Published vendor price and API changes')

  changes
    .command('publish')
    .description('Publish the changes of a file, all or none')
    .argument('<file>', 'JSON: one change, or an array of them')
    .option('--no-alert', 'Tell no webhook')
    .addHelpText(
      'after',
      `
Fields as in the API, less those that are assigned (access, created_at, updated_at). Required: vendor, product,
modality, category, severity, title, summary, impact_score. May also have: id, alternatives, source_url.`,
    )
    .action((file: string, options: OutputOptions & { alert: boolean }) =>
      withDatabase(async (context) => {
        const { db, config } = context
        const inputs = parseChanges(parseJsonArgument(await readArgumentFile(config, file), file))
        const publish = (alerts: AlertOptions | null) =>
          db.transaction().execute((trx) => publishWithAlerts(trx, inputs, alerts))
        const { ids, deliveries } = options.alert
          ? await withQueue(context, async (queue) => {
              const check = createBodyCheck((await loadContract()).document)
              return publish({ queue, publicUrl: publicUrls(config, config.PORT).base, check })
            })
          : await publish(null)
        const published = ids.map((id, index) => ({ id, title: inputs[index]?.title ?? '' }))
        printList(published, { ...options, empty: '' }, [
          ['published', 'id'],
          ['title', 'title'],
        ])
        if (!options.json) say(`${deliveries} deliveries queued.`)
      }),
    )

  changes
    .command('list')
    .description('List published changes, newest first, incidents too')
    .option('--limit <count>', 'How many at most', countArgument(listMax), 50)
    .action((options: OutputOptions & { limit: number }) =>
      withDatabase(async ({ db }) => {
        const { rows, next } = await listChangePage(
          db,
          { includeIncidents: true },
          { cursor: null, limit: options.limit },
        )
        printList(rows, { ...options, empty: 'No changes yet: ratecard changes publish FILE.json' }, [
          ['id', 'id'],
          ['severity', 'severity'],
          ['category', 'category'],
          ['product', 'product'],
          ['title', 'title'],
          ['published (UTC)', (change) => shortTime(change.created_at)],
        ])
        if (next && !options.json) say(`There are more: --limit ${Math.min(listMax, options.limit * 10)}`)
      }),
    )
}
