import { acknowledgeLostCommits, readLostCommits } from '../features/metering/lost-commits.ts'
import { verifyLedger } from '../features/metering/verify-ledger.ts'
import type { CommandGroup } from './command.ts'
import { print, formatTable, type OutputOptions } from './output.ts'

interface VerifyOptions extends OutputOptions {
  acknowledge?: true
}

export const ledgerCommands: CommandGroup = (program) => {
  const ledger = program.command('ledger').description('The record of every unit that was used')

  ledger
    .command('verify')
    .description(
      'Derive every quota counter and pack balance from the ledger again, and say whether the database went back behind what it had confirmed. Exits 1 when a balance differs, or commits were lost.',
    )
    .option('--acknowledge', 'do not say again what was lost until now')
    .onDatabase(async ({ db }, options: VerifyOptions) => {
      const report = await verifyLedger(db)
      const lostCommits = await readLostCommits(db)
      if (options.acknowledge) await acknowledgeLostCommits(db)
      const { differences, counters, packs } = report
      const ok = differences.length === 0 && lostCommits.length === 0
      print({ ok, ...report, lost_commits: lostCommits }, options, () =>
        [
          differences.length === 0
            ? `All balances agree with the ledger: ${counters} counters, ${packs} packs.`
            : `${differences.length} balances differ from the ledger:\n${formatTable(differences, [
                ['what', 'id'],
                'balance',
                'stored',
                ['by the ledger', 'derived'],
              ])}`,
          ...(lostCommits.length === 0
            ? []
            : [
                `The database went back behind what it had confirmed: units were served that nobody is charged for, and other commits of that time may be gone ("Failover" in docs/failover.md).\n${formatTable(
                  lostCommits,
                  [['noticed', 'noticed_at'], 'what'],
                )}`,
              ]),
        ].join('\n'),
      )
      if (!ok) process.exitCode = 1
    })
}
