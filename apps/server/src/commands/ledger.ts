import { verifyLedger } from '../features/metering/verify-ledger.ts'
import { withDatabase, type CommandGroup } from './command.ts'
import { print, tableOf, type OutputOptions } from './output.ts'

export const ledgerCommands: CommandGroup = (program) => {
  const ledger = program.command('ledger').description('The record of every unit that was used')

  ledger
    .command('verify')
    .description(
      'Derive every quota counter and pack balance from the ledger again. Exits 1 when one differs.',
    )
    .action((options: OutputOptions) =>
      withDatabase(async ({ db }) => {
        const report = await verifyLedger(db)
        const { differences, counters, packs } = report
        print({ ok: differences.length === 0, ...report }, options, () =>
          differences.length === 0
            ? `All balances agree with the ledger: ${counters} counters, ${packs} packs.`
            : `${differences.length} balances differ from the ledger:\n${tableOf(differences, [
                ['what', 'id'],
                ['balance', 'balance'],
                ['stored', 'stored'],
                ['by the ledger', 'derived'],
              ])}`,
        )
        if (differences.length > 0) process.exitCode = 1
      }),
    )
}
