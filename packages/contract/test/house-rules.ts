import { Ajv2020 } from 'ajv/dist/2020.js'
import formatsModule from 'ajv-formats'
import {
  at,
  follow,
  headers,
  isObj,
  type Found,
  type Json,
  mediaTypes,
  type Obj,
  obj,
  operations,
  parameters,
  type Path,
  pointer,
  schemas,
  strings,
} from './document.ts'
import { alertHeaderTable, fieldTable, headerTable, operationTable } from './tables.ts'

/** A rule names what breaks it; a contract that keeps it gets an empty list. */
export type Rule = (contract: Obj) => string[]

// The only map of the interface, "object, string to integer".
const maps = ['#/components/schemas/EndpointCounts']

function difference(where: string, actual: string[], expected: string[]): string[] {
  return [
    ...expected.filter((item) => !actual.includes(item)).map((item) => `${where}: ${item} is missing`),
    ...actual.filter((item) => !expected.includes(item)).map((item) => `${where}: ${item} is too much`),
  ]
}

function types(schema: Obj): string[] {
  return strings(schema['type'])
}

function responses(contract: Obj, operation: Found): [status: string, response: Found][] {
  return Object.entries(obj(operation.node['responses'])).map(([status, node]) => [
    status,
    follow(contract, { path: [...operation.path, 'responses', status], node: obj(node) }),
  ])
}

function examplesOf({ path, node }: Found): { path: Path; value: Json }[] {
  const named = Object.entries(obj(node['examples'])).map(([name, example]) => ({
    path: [...path, 'examples', name, 'value'],
    value: obj(example)['value'] ?? null,
  }))
  return 'example' in node
    ? [{ path: [...path, 'example'], value: node['example'] ?? null }, ...named]
    : named
}

const theSevenOperations: Rule = (contract) => [
  ...difference(
    'paths',
    operations(contract).map(({ id, method, url }) => `${id} ${method} ${url}`),
    operationTable.map(({ id, method, url }) => `${id} ${method} ${url}`),
  ),
  ...difference(
    'webhooks',
    operations(contract, 'webhooks').map(({ id, method, url }) => `${id} ${method} ${url}`),
    ['changeAlert post changeAlert'],
  ),
]

const describedOperations: Rule = (contract) => {
  const tags = Array.isArray(contract['tags']) ? contract['tags'].map((tag) => obj(tag)['name']) : []
  return [...operations(contract), ...operations(contract, 'webhooks')].flatMap(({ id, path, node }) => {
    const problems = []
    if (id === '') problems.push(`${pointer(path)} has no operationId`)
    const own = strings(node['tags'])
    if (own.length !== 1 || !own.every((tag) => tags.includes(tag))) {
      problems.push(`${pointer(path)} needs one tag of the list of tags`)
    }
    for (const key of ['summary', 'description']) {
      if (!strings(node[key])[0]?.trim()) problems.push(`${pointer(path)} has no ${key}`)
    }
    return problems
  })
}

const allStatuses: Rule = (contract) =>
  operationTable.flatMap(({ id, method, url, statuses }) =>
    difference(id, Object.keys(at(contract, 'paths', url, method, 'responses')), statuses.split(' ')),
  )

const statedHeaders: Rule = (contract) =>
  operations(contract).flatMap((operation) =>
    responses(contract, operation).flatMap(([status, response]) => {
      const stated = Object.entries(obj(response.node['headers'])).map(([name, node]) => {
        const header = follow(contract, { path: response.path, node: obj(node) }).node
        return header['required'] === true ? name : `${name}?`
      })
      return difference(`${operation.id} ${status}`, stated, headerTable(operation.id, status))
    }),
  )

const alertDelivery: Rule = (contract) => {
  const alert = at(contract, 'webhooks', 'changeAlert', 'post')
  const sent = Array.isArray(alert['parameters']) ? alert['parameters'].map(obj) : []
  const named = sent.map((node) => `${strings(node['name']).join()}${node['required'] === true ? '' : '?'}`)
  return [
    ...difference('changeAlert', Object.keys(obj(alert['responses'])), ['2XX', '401', '410', 'default']),
    ...difference('changeAlert', named, alertHeaderTable),
    ...sent.filter((node) => node['in'] !== 'header').map(() => 'changeAlert: only headers are sent'),
    ...(obj(alert['requestBody'])['required'] === true ? [] : ['changeAlert: the body is required']),
  ]
}

const errorBodies: Rule = (contract) =>
  operations(contract).flatMap((operation) =>
    responses(contract, operation)
      .filter(([status]) => !status.startsWith('2'))
      .flatMap(([status, response]) => {
        const media = obj(obj(response.node['content'])['application/json'])
        const wanted = status === '429' ? 'QuotaErrorBody' : 'ErrorBody'
        const wrong = obj(media['schema'])['$ref'] !== `#/components/schemas/${wanted}`
        const disagreeing = Object.values(obj(media['examples'])).filter(
          (example) => obj(obj(example)['value'])['status'] !== Number(status),
        )
        return [
          ...(wrong ? [`${operation.id} ${status} is not answered with ${wanted}`] : []),
          ...disagreeing.map(() => `${operation.id} ${status} has an example of another status`),
        ]
      }),
  )

const guarded: Rule = (contract) => {
  const schemes = at(contract, 'components', 'securitySchemes')
  const guard = (security: Json | undefined): boolean =>
    Array.isArray(security) &&
    security.length > 0 &&
    security.every((requirement) => {
      const [name, ...more] = Object.keys(obj(requirement))
      const scheme = obj(schemes[name ?? ''])
      return more.length === 0 && scheme['type'] === 'http' && scheme['scheme'] === 'bearer'
    })
  return operations(contract).flatMap(({ id, node }) => {
    const open = Array.isArray(node['security']) && node['security'].length === 0
    const closed = guard(node['security'] ?? contract['security'])
    if (id === 'getHealth') return open ? [] : [`${id} must be open`]
    return closed ? [] : [`${id} is not guarded`]
  })
}

const closedObjects: Rule = (contract) =>
  schemas(contract)
    .filter(({ node }) => types(node).includes('object') || 'properties' in node)
    .filter(({ node, path }) =>
      maps.includes(pointer(path))
        ? !isObj(node['additionalProperties'])
        : node['additionalProperties'] !== false,
    )
    .map(({ path }) => `${pointer(path)} lets extra fields in`)

const typedValues: Rule = (contract) =>
  schemas(contract)
    .filter(({ node }) => ('enum' in node || 'const' in node) && types(node).length === 0)
    .map(({ path }) => `${pointer(path)} has values but no type`)

const boundedIntegers: Rule = (contract) =>
  schemas(contract)
    .filter(({ node }) => types(node).includes('integer') && !('const' in node) && !('enum' in node))
    .filter(({ node }) => typeof node['minimum'] !== 'number' || typeof node['maximum'] !== 'number')
    .map(({ path }) => `${pointer(path)} needs a minimum and a maximum`)

const sixDecimals: Rule = (contract) =>
  schemas(contract)
    .filter(({ node, path }) => node['format'] === 'date-time' && path[1] !== 'parameters')
    .filter(({ node }) => node['pattern'] !== at(contract, 'components', 'schemas', 'Timestamp')['pattern'])
    .map(({ path }) => `${pointer(path)} does not promise six decimals`)

const boundedInput: Rule = (contract) =>
  parameters(contract)
    .filter(({ node }) => node['in'] === 'query' || node['in'] === 'path')
    .flatMap((parameter) => {
      const schema = follow(contract, {
        path: [...parameter.path, 'schema'],
        node: obj(parameter.node['schema']),
      }).node
      if (!types(schema).includes('string') || 'enum' in schema) return []
      const problems = []
      if (parameter.node['in'] === 'query' && parameter.node['allowReserved'] !== true) {
        problems.push(`${pointer(parameter.path)} is not allowReserved`)
      }
      if (typeof schema['maxLength'] !== 'number' || typeof schema['pattern'] !== 'string') {
        problems.push(`${pointer(parameter.path)} needs a maxLength and a pattern`)
      } else if (new RegExp(schema['pattern'], 'u').test('2026\u0000')) {
        problems.push(`${pointer(parameter.path)} lets a NUL in`)
      }
      return problems
    })

/** `name: type`, with `?` after the name when it may be absent and after the type when it may be null. */
function fields(contract: Obj, schema: Obj): string[] {
  return Object.entries(obj(schema['properties'])).map(([name, node]) => {
    const found = follow(contract, { path: [], node: obj(node) }).node
    const base = types(found).find((type) => type !== 'null') ?? 'unknown'
    const optional = strings(schema['required']).includes(name) ? '' : '?'
    return `${name}${optional}: ${base}${types(found).includes('null') ? '?' : ''}`
  })
}

const fieldsOfTheInterface: Rule = (contract) =>
  Object.entries(fieldTable).flatMap(([name, expected]) =>
    difference(name, fields(contract, at(contract, 'components', 'schemas', name)), expected),
  )

const described: Rule = (contract) => [
  ...Object.entries(at(contract, 'components', 'schemas')).flatMap(([name, schema]) => {
    const own = strings(obj(schema)['description'])[0]?.trim() ? [] : [`${name} has no description`]
    const properties = Object.entries(obj(obj(schema)['properties'])).filter(([, property]) => {
      const found = follow(contract, { path: [], node: obj(property) }).node
      return !obj(property)['description'] && !found['description']
    })
    return [...own, ...properties.map(([property]) => `${name}.${property} has no description`)]
  }),
  ...[...parameters(contract), ...headers(contract)]
    .filter(({ node }) => !node['description'])
    .map(({ path }) => `${pointer(path)} has no description`),
]

const haveExamples: Rule = (contract) => [
  ...[...parameters(contract), ...headers(contract), ...mediaTypes(contract)]
    .filter((found) => examplesOf(found).length === 0)
    .map(({ path }) => `${pointer(path)} has no example`),
  ...operations(contract).flatMap((operation) =>
    responses(contract, operation)
      .filter(([, response]) => Object.keys(obj(response.node['content'])).length === 0)
      .map(([status]) => `${operation.id} ${status} has no content`),
  ),
]

const validExamples: Rule = (contract) => {
  const ajv = new Ajv2020({ strict: true, strictRequired: true, allErrors: true })
  formatsModule.default(ajv)
  // Ajv compiles the whole document before the schema in it that a reference names.
  ajv.addVocabulary(Object.keys(contract))
  ajv.addSchema(contract, 'openapi.yaml', false, false)
  const problems: string[] = []
  const check = (schemaPath: Path, values: { path: Path; value: Json }[]): void => {
    try {
      const validate = ajv.compile({ $ref: `openapi.yaml${pointer(schemaPath)}` })
      for (const { path, value } of values) {
        if (!validate(value)) problems.push(`${pointer(path)}: ${ajv.errorsText(validate.errors)}`)
      }
    } catch (error) {
      problems.push(`${pointer(schemaPath)}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  for (const { path, node } of schemas(contract)) {
    const listed = Array.isArray(node['examples']) ? node['examples'] : []
    const values = listed.map((value, index): { path: Path; value: Json } => ({
      path: [...path, 'examples', index],
      value,
    }))
    if (node['default'] !== undefined) values.push({ path: [...path, 'default'], value: node['default'] })
    check(path, values)
  }
  for (const found of [...parameters(contract), ...headers(contract), ...mediaTypes(contract)]) {
    check([...found.path, 'schema'], examplesOf(found))
  }
  return problems
}

const trueCursors: Rule = (contract) =>
  mediaTypes(contract)
    .flatMap(examplesOf)
    .flatMap(({ path, value }) => {
      const page = obj(value)
      const cursor = obj(page['pagination'])['next_cursor']
      if (typeof cursor !== 'string') return []
      const last = Array.isArray(page['data']) ? obj(page['data'].at(-1)) : {}
      const pair = JSON.stringify([last['updated_at'] ?? null, last['resource_id'] ?? last['id'] ?? null])
      return Buffer.from(pair).toString('base64url') === cursor
        ? []
        : [`${pointer(path)}: the cursor is not the one of the last row`]
    })

export const rules = {
  theSevenOperations,
  describedOperations,
  allStatuses,
  statedHeaders,
  alertDelivery,
  errorBodies,
  guarded,
  closedObjects,
  typedValues,
  boundedIntegers,
  sixDecimals,
  boundedInput,
  fieldsOfTheInterface,
  described,
  haveExamples,
  validExamples,
  trueCursors,
} satisfies Record<string, Rule>
