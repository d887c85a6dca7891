import { parseArgs } from 'node:util'
import { billCommand } from './bill.ts'
import { costCommand } from './cost.ts'
import { driftCommand } from './drift.ts'
import { explainCommand } from './explain.ts'
import { CliError, inCliWords, type Command, type Output } from './command.ts'

export type { Output } from './command.ts'

const commands: Readonly<Record<string, Command>> = {
  explain: explainCommand,
  cost: costCommand,
  drift: driftCommand,
  bill: billCommand,
}

const help = `Prices of AI models, and what a use of them costs.

Usage:
  ratecard-cost explain MODEL        the record that a name means, by which rule, and its rates
  ratecard-cost cost --usage FILE    what usages cost: an answer, a list of them, or a line for each; - is stdin
  ratecard-cost drift FILE           amounts of your own table that are wrong: LiteLLM's map, or a snapshot
  ratecard-cost bill FILE --log LOG  whether OpenAI's or Anthropic's bill is what your calls cost, and if not, why

Options:
  --platform NAME    where it is paid: openai, bedrock, vertex_ai, azure, …
  --region NAME      the region that is billed
  --catalog FILE     a snapshot: a file or an address (default: the one that comes with this package)
  --json             one JSON document
  of cost:
  --model NAME       instead of what the answer says
  --reader NAME      who answered, where the answer does not tell: openai, anthropic, …
  --tier NAME        batch, flex, priority, …
  --at TIME          when it was
  --cache-ttl TIME   how long writes to a cache live, where the answer does not say: 5m or 1h
  --overrides FILE   your own prices, as JSON: what costOf takes as "overrides"
  --prefer-reported  the cost that the provider reports is the total
  of bill:
  --log FILE         your calls, a line each: an answer of the vendor, or {"at": TIME, "answer": …} around one

Does it equal the bill? FILE is what the vendor exports: of OpenAI the costs (by line_item) or the usage (by model, batch and
service_tier), of Anthropic the cost report (by description) or the usage report, as pages of the API or as CSV.

  $ cat calls.jsonl
  {"at":"2026-09-03T10:00:00Z","answer":{"model":"gpt-5-mini-2025-08-07","usage":{…}}}
  $ ratecard-cost bill costs.csv --log calls.jsonl
  Day         Model                  Billed  Computed  Difference  Why
  2026-09-03  gpt-5-mini-2025-08-07  1.21    2.42      -1.21       tier: billed as batch

A cause is named only where it explains the difference to the bill's last digit and nothing else does. Else the row says
"not explained", and what would fit.

Also: --help, --version.
Exit codes: 0 all is known and right, 1 something is not, 2 the command cannot be understood or the file not be read.
`

const options = {
  platform: { type: 'string' },
  region: { type: 'string' },
  catalog: { type: 'string' },
  model: { type: 'string' },
  reader: { type: 'string' },
  tier: { type: 'string' },
  at: { type: 'string' },
  usage: { type: 'string' },
  log: { type: 'string' },
  'prefer-reported': { type: 'boolean' },
  'cache-ttl': { type: 'string' },
  overrides: { type: 'string' },
  json: { type: 'boolean' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** Runs a command line. Answers the exit code. */
export async function run(words: readonly string[], { out, err }: Output, version: string): Promise<number> {
  try {
    const { values, positionals } = parsed(words)
    const [name = '', argument, ...more] = positionals
    if (values.help || words.length === 0) {
      out(help)
      return words.length === 0 ? 2 : 0
    }
    if (values.version) {
      out(`${version}\n`)
      return 0
    }
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined
    if (command === undefined)
      throw new CliError(`There is no command "${name}". There are: ${Object.keys(commands).join(', ')}.`)
    if (more.length > 0) throw new CliError(`One argument is taken, and "${more[0]}" is another.`)
    return await command({ ...values, argument }, { out, err })
  } catch (error) {
    err(`${inCliWords(error instanceof Error ? error.message : String(error))}\n`)
    return 2
  }
}

function parsed(words: readonly string[]) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new CliError(`${(error as Error).message.split('. ')[0]}. See --help.`)
  }
}
