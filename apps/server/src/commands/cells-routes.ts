import { InvalidArgumentError, Option } from 'commander'
import {
  cellsMax,
  findProblems,
  routeFormats,
  routesText,
  type Cell,
  type RouteFormat,
} from '../features/cells/routes.ts'
import { readConfig } from '../platform/config.ts'
import { UserError } from '../platform/user-error.ts'
import { readJsonFile } from './arguments.ts'
import { print, type OutputOptions } from './output.ts'
import type { OperatorCommand } from './command.ts'

interface RouteOptions extends OutputOptions {
  format: RouteFormat
  cell: Cell[]
  file?: string
}

export function addCellRoutes(cells: OperatorCommand): void {
  cells
    .command('routes')
    .description('Print the part of a proxy’s configuration that leads keys to their cells')
    .addOption(new Option('--format <name>', 'For which proxy').choices(routeFormats).makeOptionMandatory())
    .option(
      '--cell <mark=addresses>',
      'A cell and its servers, such as a1=10.0.0.7:8080,10.0.0.8:8080',
      cellArgument,
      [],
    )
    .option(
      '--file <path>',
      'JSON with all of them, such as {"a1": ["10.0.0.7:8080"], "b2": ["10.0.1.7:8080"]}',
    )
    .notes(
      `
An address is a host and a port; where the admin port is not 9090, that one follows after a slash: 10.0.0.7:8080/9190.
The text goes beside docs/proxies/nginx.conf or docs/proxies/haproxy.cfg, from which "#cells " is taken away. Needs no
database.

Examples:
  ratecard cells routes --format nginx --cell a1=10.0.0.7:8080 > /etc/nginx/ratecard-cells.conf
  ratecard cells routes --format haproxy --file cells.json > /etc/haproxy/ratecard-cells.cfg`,
    )
    .action(async (options: RouteOptions) => {
      const given = [...options.cell, ...(options.file === undefined ? [] : await readCells(options.file))]
      const problems = findProblems(given)
      if (problems.length > 0) throw new UserError(problems.slice(0, shownMax).join('\n'), { exitCode: 2 })
      const text = routesText(options.format, given)
      print({ format: options.format, text }, options, () => text.trimEnd())
    })
}

const shownMax = 20

function cellArgument(text: string, before: Cell[]): Cell[] {
  const [mark = '', addresses, ...more] = text.split('=')
  if (addresses === undefined || more.length > 0)
    throw new InvalidArgumentError('Give a mark and addresses, such as a1=10.0.0.7:8080,10.0.0.8:8080.')
  return [...before, { mark, addresses: addresses.split(',') }]
}

async function readCells(file: string): Promise<Cell[]> {
  const document = await readJsonFile(readConfig(), file)
  const isTable = typeof document === 'object' && document !== null && !Array.isArray(document)
  const entries = isTable ? Object.entries(document as Record<string, unknown>) : []
  const areCells = entries.every(
    ([, addresses]) => Array.isArray(addresses) && addresses.every((one) => typeof one === 'string'),
  )
  if (!isTable || !areCells || entries.length > cellsMax)
    throw new UserError(
      `${file} must be an object of at most ${cellsMax} cells, such as {"a1": ["10.0.0.7:8080"]}: a mark, and the addresses of its servers.`,
      { exitCode: 2 },
    )
  return entries.map(([mark, addresses]) => ({ mark, addresses: addresses as string[] }))
}
