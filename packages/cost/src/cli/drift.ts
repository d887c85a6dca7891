import { findDrift, rowsIn } from '../drift.ts'
import { CliError, openCatalog, parseJson, stampText, table, readFileText, type Command } from './command.ts'

/** Amounts of a table that is kept beside a program, against the catalog. */
export const driftCommand: Command = async ({ argument, catalog: named, json }, { out }) => {
  if (argument === undefined) throw new CliError('Name your table: ratecard-cost drift FILE.')
  const rows = rowsIn(parseJson(await readFileText(argument), argument))
  if (rows.length === 0) throw new CliError(`${argument} is neither LiteLLM's map nor a snapshot.`)
  const catalog = await openCatalog(named)
  const { compared, wrong, unknown } = findDrift(rows, catalog)
  const stamp = catalog.stamp()
  if (compared === 0)
    throw new CliError(`${argument} names nothing that the catalog knows: nothing was compared.`)
  if (json) out(`${JSON.stringify({ compared, wrong, unknown, catalog: stamp }, null, 2)}\n`)
  else {
    const list = wrong.map(({ name, field, yours, served }) => [name, field, yours, served])
    if (wrong.length > 0) out(table([['Model', 'Amount', 'Yours', 'Catalog'], ...list], [2, 3]))
    out(`${compared} models compared, ${wrong.length} amounts wrong, ${unknown.length} models unknown.\n`)
    out(stampText(stamp))
  }
  return wrong.length === 0 ? 0 : 1
}
