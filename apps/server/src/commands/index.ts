import type { Command } from 'commander'
import { readVersion } from '../platform/version.ts'
import { accountCommands } from './accounts.ts'
import { backupCommands } from './backup.ts'
import { cellCommands } from './cells.ts'
import { changeCommands } from './changes.ts'
import { OperatorCommand, type CommandGroup } from './command.ts'
import { driftCommands } from './drift.ts'
import { feedCommands } from './feed.ts'
import { keyCommands } from './keys.ts'
import { deliveryCommands } from './deliveries.ts'
import { webhookCommands } from './webhooks.ts'
import { ledgerCommands } from './ledger.ts'
import { memberCommands } from './members.ts'
import { priceCommands } from './prices.ts'
import { requestCommands } from './requests.ts'
import { serverCommands } from './server.ts'
import { subscriptionCommands } from './subscriptions.ts'
import { topupCommands } from './topups.ts'
import { usageCommands } from './usage.ts'

const groups: readonly CommandGroup[] = [
  serverCommands,
  accountCommands,
  memberCommands,
  keyCommands,
  subscriptionCommands,
  topupCommands,
  usageCommands,
  requestCommands,
  priceCommands,
  driftCommands,
  feedCommands,
  changeCommands,
  webhookCommands,
  deliveryCommands,
  ledgerCommands,
  backupCommands,
  cellCommands,
]

export function createProgram(): OperatorCommand {
  const program = new OperatorCommand('ratecard')
    .description('Serves AI-model prices and looks after the accounts that use them.')
    .version(readVersion(), '--version', 'Print the version')
    .helpOption('--help', 'Show what a command does and takes')
    .helpCommand(false)
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({ outputError: () => undefined }).notes(`
Results go to stdout, everything else to stderr. Every command takes --json and then prints one JSON document.
Exit codes: 0 done, 1 failed, 2 used wrongly. Settings come from the environment: "ratecard config check".

A first session:
  ratecard accounts create --name "Acme"
  ratecard keys create --account acct_…
  ratecard serve`)
  for (const addCommands of groups) addCommands(program)
  addCommonOptions(program)
  return program
}

/** The options of every command: they are added here for all. */
function addCommonOptions(command: Command): void {
  for (const child of command.commands) {
    if (child.commands.length === 0) {
      child.option('--json', 'Print one JSON document')
    }
    child.version(readVersion(), '--version', 'Print the version').helpCommand(false)
    addCommonOptions(child)
  }
}
