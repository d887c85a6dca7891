// Wrong use of the fake is refused in a sentence, for a test that says something else than it means passes by accident.

/** Refuses names that an object of options does not have. */
export function checkNames(call: string, given: object, names: readonly string[]): void {
  const unknown = Object.keys(given).find((name) => !names.includes(name))
  if (unknown !== undefined) throw new TypeError(`${call} has no \`${unknown}\`. It has ${names.join(', ')}.`)
}

/** Refuses a value that is none of those there are. */
export function checkOneOf(name: string, value: unknown, values: readonly string[]): void {
  const isOne = allowOneOf(values)
  if (!isOne.holds(value)) throw new TypeError(`\`${name}\` is ${isOne.wants}, not ${shown(value)}.`)
}

/** What a field may hold, in words and as a question. */
export interface Rule {
  wants: string
  holds: (value: unknown) => boolean
}

export function allowOneOf(values: readonly string[]): Rule {
  return { wants: `one of ${values.join(', ')}`, holds: (value) => values.includes(value as string) }
}

export function text(charsMax = Infinity): Rule {
  const wants = charsMax === Infinity ? 'a text that is not empty' : `a text of 1 to ${charsMax} characters`
  return {
    wants,
    holds: (value) => typeof value === 'string' && value !== '' && Array.from(value).length <= charsMax,
  }
}

export function integer(min: number, max: number): Rule {
  const holds = (value: unknown) => Number.isInteger(value) && Number(value) >= min && Number(value) <= max
  return { wants: `${min} to ${max}`, holds }
}

export function orNull({ wants, holds }: Rule): Rule {
  return { wants: `null or ${wants}`, holds: (value) => value === null || holds(value) }
}

export const textOrNull: Rule = {
  wants: 'a text or null',
  holds: (value) => value === null || typeof value === 'string',
}

/** The fields of a row: what a new one has, and what a test may give. Without a rule a field is the fake's to give. */
export type Fields<Row> = { [Name in keyof Row]-?: [blank: Row[Name], rule?: Rule] }

export function buildBlank<Row>(fields: Fields<Row>): Row {
  return mapped(fields, ([blank]) => blank) as Row
}

export function listRules<Row>(fields: Fields<Row>): Record<string, Rule | undefined> {
  return mapped(fields, ([, rule]) => rule)
}

function mapped<Row, To>(fields: Fields<Row>, change: (field: [unknown, Rule?]) => To): Record<string, To> {
  const entries = Object.entries<[unknown, Rule?]>(fields)
  return Object.fromEntries(entries.map(([name, field]) => [name, change(field)]))
}

/** Refuses a field that there is none of, and a value that its field may not hold. Undefined is a field left out. */
export function checkFields(what: string, given: object, rules: Record<string, Rule | undefined>): void {
  for (const [name, value] of Object.entries(given)) {
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined
    if (!rule)
      throw new TypeError(`${what}: leave out \`${name}\`; it is no field, or it is the fake's to give.`)
    if (value !== undefined && !rule.holds(value))
      throw new TypeError(`${what}: \`${name}\` is ${rule.wants}, not ${shown(value)}.`)
  }
}

/** Refuses anything but plain objects, a list of them in place of the objects above all. */
export function checkRows(call: string, rows: readonly unknown[]): void {
  if (rows.every(isObject)) return
  throw new TypeError(`${call} takes records, one by one: ${call}({ … }, { … }), or ${call}(...list).`)
}

/** What is given: a field that is undefined is left out. */
export function present<Row extends object>(row: Row): Partial<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Partial<Row>
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A value as a refusal may repeat it: short, and never what may be a key. */
function shown(value: unknown): string {
  if (typeof value === 'string')
    return value.length > 40 || value.includes('rc_live') ? 'this text' : JSON.stringify(value)
  if (Array.isArray(value)) return 'a list'
  return value === null || typeof value === 'boolean'
    ? String(value)
    : `a${typeof value === 'object' ? 'n' : ''} ${typeof value}`
}
