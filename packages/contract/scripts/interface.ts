// What a program needs to read requests as the contract says: no prose, no answers, no references to follow.

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  [part: string]: unknown
}

interface Operation {
  operationId: string
  security?: object[]
  parameters?: Node[]
  requestBody?: { content: { 'application/json': { schema: Node } } }
}

type Node = Record<string, unknown>

/** What a schema says to people. */
const prose = ['description', 'examples', 'writeOnly']

/** Each operation with its parameters and its body. */
export function buildInterface(contract: OpenApi): object[] {
  const follow = (node: Node): Node => {
    if (typeof node.$ref !== 'string') return node
    const [, ...names] = node.$ref.split('/')
    return follow(names.reduce<Node>((found, name) => found[name] as Node, contract))
  }
  const buildSchema = (node: Node): Node => {
    const { items, properties, ...rest } = follow(node) as { items?: Node; properties?: Record<string, Node> }
    const schemas = Object.entries(properties ?? {}).map(([name, property]) => [name, buildSchema(property)])
    return {
      ...Object.fromEntries(Object.entries(rest).filter(([name]) => !prose.includes(name))),
      ...(items && { items: buildSchema(items) }),
      ...(properties && { properties: Object.fromEntries(schemas) as Node }),
    }
  }
  return Object.entries(contract.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId, security, parameters = [], requestBody }]) => {
      const schemasIn = (location: string) =>
        Object.fromEntries(
          parameters
            .map(follow)
            .filter((parameter) => parameter.in === location)
            .map(({ name, schema }) => [String(name), buildSchema(schema as Node)]),
        )
      return {
        id: operationId,
        method: method.toUpperCase(),
        path,
        isPublic: security?.length === 0,
        pathParameters: schemasIn('path'),
        query: schemasIn('query'),
        ...(requestBody && { body: buildSchema(requestBody.content['application/json'].schema) }),
      }
    }),
  )
}
