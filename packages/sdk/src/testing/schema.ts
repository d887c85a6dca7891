import { invalidRequest } from '@ratecard/contract/errors'
import { formProblem } from '@ratecard/contract/input'
import { isDateText } from '@ratecard/contract/instant'

/** As much of JSON Schema as the contract uses for what comes in. */
export interface Schema {
  type: 'string' | 'integer' | 'boolean' | 'array' | 'object'
  enum?: unknown[]
  format?: 'uri' | 'date-time'
  pattern?: string
  default?: unknown
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  items?: Schema
  uniqueItems?: boolean
  required?: string[]
  properties?: Record<string, Schema>
}

/**
 * Holds a value against its schema, keyword by keyword in the order and in the words of Ajv, with which the service does
 * it.
 * @param names lead to the value within what came in; none for a body
 * @throws ApiError invalid_request, with the first fault
 */
export function checkValue(value: unknown, schema: Schema, names: string[] = []): void {
  const check = (isRight: boolean, wants: string) => {
    if (!isRight) throw invalidRequest(`${names.join('.') || 'The body'} ${wants}.`)
  }
  check(isOfType(value, schema.type), `must be ${schema.type}`)
  if (typeof value === 'number') {
    const { minimum = -Infinity, maximum = Infinity } = schema
    check(value <= maximum, `must be <= ${maximum}`)
    check(value >= minimum, `must be >= ${minimum}`)
  } else if (typeof value === 'string') {
    const { minLength = 0, maxLength = Infinity, pattern = '', format } = schema
    const length = Array.from(value).length
    check(length <= maxLength, `must NOT have more than ${maxLength} characters`)
    check(length >= minLength, `must NOT have fewer than ${minLength} characters`)
    check(new RegExp(pattern, 'u').test(value), formProblem('pattern', names.join('.')))
    check(!format || formats[format](value), formProblem('format', names.join('.')))
  } else if (Array.isArray(value)) {
    const { minItems = 0, items, uniqueItems = false } = schema
    check(value.length >= minItems, `must NOT have fewer than ${minItems} items`)
    for (const [index, item] of value.entries()) if (items) checkValue(item, items, [...names, String(index)])
    const first = value.findLastIndex((item, index) => value.includes(item, index + 1))
    const second = value.indexOf(value[first], first + 1)
    const twins = `(items ## ${first} and ${second} are identical)`
    check(!uniqueItems || first === -1, `must NOT have duplicate items ${twins}`)
  } else if (schema.properties) {
    checkFields(value as Record<string, unknown>, schema.properties, schema.required)
  }
  const allowed = schema.enum ?? [value]
  check(allowed.includes(value), `must be equal to one of the allowed values: ${allowed.join(', ')}`)
}

function checkFields(
  fields: Record<string, unknown>,
  properties: Record<string, Schema>,
  required: readonly string[] = [],
): void {
  for (const name of required) {
    if (!Object.hasOwn(fields, name)) throw invalidRequest(`${name} must have required property '${name}'.`)
  }
  const unknown = Object.keys(fields).find((name) => !Object.hasOwn(properties, name))
  if (unknown !== undefined) {
    const nameless = unknown === '' ? 'The request' : 'The body'
    const name = unknown.split('/').filter(Boolean).join('.') || nameless
    throw invalidRequest(`${name} must NOT have additional properties.`)
  }
  for (const [name, schema] of Object.entries(properties)) {
    if (Object.hasOwn(fields, name)) checkValue(fields[name], schema, [name])
  }
}

function isOfType(value: unknown, type: Schema['type']): boolean {
  if (type === 'array') return Array.isArray(value)
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value)
  return type === 'integer' ? Number.isInteger(value) : typeof value === type
}

const character = "(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|%[0-9A-Fa-f]{2})"
const uri = new RegExp(
  `^https:/(?:/(?:${character}*@)?(\\[[0-9A-Fa-f:.]+\\])(?::\\d*)?(?=[/?#]|$))?` +
    `${character}*(?:\\?(?:${character}|\\?)*)?(?:#(?:${character}|\\?)*)?$`,
)

/** Whether the text has only characters that a URI may have, and those of an IPv6 address in the right order. */
export function hasUriForm(text: string): boolean {
  const match = uri.exec(text)
  // RFC 3986 allows leading zeros in the dotted part, the URL parser does not.
  const address = match?.[1]?.replaceAll(/([:.])0{1,2}(\d{1,2})(?=[.\]])/g, '$1$2')
  return match !== null && (address === undefined || URL.canParse(`https://${address}`))
}

const formats: Record<NonNullable<Schema['format']>, (text: string) => boolean> = {
  uri: hasUriForm,
  // What a pattern cannot say of an instant.
  'date-time': (text) => isDateText(text.slice(0, 10)),
}
