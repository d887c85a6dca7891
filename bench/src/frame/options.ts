import { parseArgs } from 'node:util'

/** What an option is for, its value where it is not given, and that of `--quick`. A number must be above 0. */
type Option = readonly [help: string, standard: string | number | boolean, quick?: string | number]

type Value<Standard> = Standard extends number ? number : Standard extends boolean ? boolean : string

const everywhere = {
  quick: ['smaller and shorter: enough to see whether something is very wrong', false],
  publish: ['also write results/ and the document', false],
  help: ['print this', false],
} as const

export const roundsOption = ['how often each is measured', 9, 3] as const
export const onlyOption = [
  'those alone with one of these words in their names, with commas between',
  '',
] as const

type Everywhere = { [Name in keyof typeof everywhere]: boolean }

/** Reads the options of a benchmark. For `--help`, and for what it cannot read, it ends the process. */
export function readOptions<const Own extends Record<string, Option>>(about: string, own: Own) {
  const table: Record<string, Option> = { ...own, ...everywhere }
  const types = Object.entries(table).map(([name, [, standard]]) => {
    return [name, { type: standard === false ? ('boolean' as const) : ('string' as const) }] as const
  })
  const { values: given } = parseArgs({ options: Object.fromEntries(types) })
  if (given.help) {
    const lines = Object.entries(table).map(([name, [help, standard, quick]]) => {
      const values = [standard, ...(quick === undefined ? [] : [`with --quick ${quick}`])]
      return `  --${name.padEnd(14)}${help}${standard === false || standard === '' ? '' : ` (${values.join(', ')})`}`
    })
    console.log([about, '', ...lines].join('\n'))
    process.exit(0)
  }
  if (given.publish && given.only) stop('--publish is for the whole measurement: leave --only out.')
  const values = Object.entries(table).map(([name, [, standard, quick]]) => {
    const value = given[name] ?? (given.quick ? (quick ?? standard) : standard)
    if (typeof standard !== 'number') return [name, value]
    if (!(Number(value) > 0)) stop(`--${name} must be a number above 0.`)
    return [name, Number(value)]
  })
  return Object.fromEntries(values) as { [Name in keyof Own]: Value<Own[Name][1]> } & Everywhere
}

/** Those whose names have one of the words. */
export function choose<Part extends { name: string }>(parts: readonly Part[], only: string): Part[] {
  const words = only.split(',').filter(Boolean)
  const chosen = parts.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
  if (chosen.length === 0) stop(`--only names none of: ${parts.map(({ name }) => name).join('; ')}`)
  return chosen
}

export function stop(text: string): never {
  console.error(text)
  process.exit(2)
}
