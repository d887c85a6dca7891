import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Obj = { [key: string]: Json }
export type Path = (string | number)[]
export type Found = { path: Path; node: Obj }

/** A fresh copy of openapi.yaml. */
export function readContract(): Obj {
  return parse(readFileSync(new URL('../../../openapi.yaml', import.meta.url), 'utf8')) as Obj
}

export function isObj(value: Json | undefined): value is Obj {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function obj(value: Json | undefined): Obj {
  return isObj(value) ? value : {}
}

/** The strings of a list; a single one is a list of one. */
export function strings(value: Json | undefined): string[] {
  const values = Array.isArray(value) ? value : [value]
  return values.filter((item) => typeof item === 'string')
}

/** What is at a path, `{}` when nothing is. */
export function at(contract: Obj, ...path: Path): Obj {
  let node: Json | undefined = contract
  for (const key of path) {
    node = Array.isArray(node) ? node[Number(key)] : obj(node)[key]
  }
  return obj(node)
}

/** Where a node really is: follows `$ref` to its end. */
export function follow(contract: Obj, found: Found): Found {
  const ref = found.node['$ref']
  if (typeof ref !== 'string') return found
  const path = ref.replace('#/', '').split('/')
  return follow(contract, { path, node: at(contract, ...path) })
}

/** A path as the fragment of a `$ref`. */
export function pointer(path: Path): string {
  const parts = path.map((key) => encodeURIComponent(String(key).replaceAll('~', '~0').replaceAll('/', '~1')))
  return `#/${parts.join('/')}`
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']

export type Operation = Found & { id: string; method: string; url: string }

/** The operations under `paths` or under `webhooks`. */
export function operations(contract: Obj, section: 'paths' | 'webhooks' = 'paths'): Operation[] {
  return Object.entries(obj(contract[section])).flatMap(([url, item]) =>
    Object.entries(obj(item))
      .filter(([method]) => methods.includes(method))
      .map(([method, node]) => ({
        id: strings(obj(node)['operationId'])[0] ?? '',
        method,
        url,
        path: [section, url, method],
        node: obj(node),
      })),
  )
}

/** Every object of the document that has a key, in the text order. Values of examples are data and are left out. */
function having(contract: Obj, key: string): Found[] {
  const found: Found[] = []
  const visit = (node: Json, path: Path): void => {
    if (Array.isArray(node)) {
      node.forEach((item, index) => visit(item, [...path, index]))
    } else if (isObj(node)) {
      if (key in node) found.push({ path, node })
      for (const [name, value] of Object.entries(node)) {
        if (!isExample(name, path)) visit(value, [...path, name])
      }
    }
  }
  visit(contract, [])
  return found
}

// A schema may well have a property that is called `value` or `default`.
function isExample(name: string, path: Path): boolean {
  return (
    path.at(-1) !== 'properties' &&
    ['example', 'examples', 'value', 'default', 'const', 'enum'].includes(name)
  )
}

/** Every schema and every schema within it. */
export function schemas(contract: Obj): Found[] {
  const found: Found[] = []
  const visit = (value: Json | undefined, path: Path): void => {
    if (!isObj(value)) return
    found.push({ path, node: value })
    for (const key of [
      'items',
      'additionalProperties',
      'not',
      'contains',
      'propertyNames',
      'if',
      'then',
      'else',
    ]) {
      visit(value[key], [...path, key])
    }
    for (const key of ['properties', 'patternProperties', '$defs']) {
      for (const [name, schema] of Object.entries(obj(value[key]))) visit(schema, [...path, key, name])
    }
    for (const key of ['allOf', 'anyOf', 'oneOf', 'prefixItems']) {
      const list = value[key]
      if (Array.isArray(list)) list.forEach((schema, index) => visit(schema, [...path, key, index]))
    }
  }
  for (const [name, schema] of Object.entries(at(contract, 'components', 'schemas'))) {
    visit(schema, ['components', 'schemas', name])
  }
  for (const { path, node } of having(contract, 'schema')) visit(node['schema'], [...path, 'schema'])
  return found
}

/** Every parameter object, shared or not. */
export function parameters(contract: Obj): Found[] {
  return having(contract, 'in').filter(({ path }) => !path.includes('securitySchemes'))
}

/** Every header object, shared or not. References to them are left out. */
export function headers(contract: Obj): Found[] {
  return having(contract, 'schema').filter(({ path }) => path.at(-2) === 'headers')
}

/** Every `application/json` and its like. */
export function mediaTypes(contract: Obj): Found[] {
  return having(contract, 'schema').filter(({ path }) => path.at(-2) === 'content')
}
