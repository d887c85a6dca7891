import { z } from 'zod'
import { readOperations, type Contract, type OpenApiDocument } from '../../platform/contract.ts'
import type { AnyOperation } from './operation.ts'
import { definitions, type OperationId } from './registry.ts'
import { Id } from './schemas/common.ts'

type Json = Record<string, unknown>

interface ObjectSchema {
  properties?: Record<string, Json>
  required?: string[]
}

/** What all operations are asked and answer, in the form that the validator and the check of answers read. */
export function dashboardContract(): Contract<OperationId> {
  const paths: Record<string, Json> = {}
  for (const [id, definition] of Object.entries(definitions)) {
    const [method = '', path = ''] = definition.route.split(' ')
    const item = (paths[`/dashboard/api${path}`] ??= {})
    item[method.toLowerCase()] = { operationId: id, ...describe(definition) }
  }
  const info = { title: 'Ratecard dashboard', version: '1.0.0' }
  const document = { openapi: '3.1.1', info, paths } as unknown as OpenApiDocument
  return { document, operations: readOperations(document) }
}

function describe({ access, route, form }: AnyOperation): Json {
  const { query, body, signedBy } = form
  const ids = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    ...{ name, in: 'path', required: true },
    schema: toJsonSchema(Id),
  }))
  const { properties = {}, required = [] }: ObjectSchema = query ? toJsonSchema(query) : {}
  const parameters = Object.entries(properties).map(([name, schema]) => ({
    ...{ name, in: 'query', allowReserved: true },
    required: required.includes(name),
    schema,
  }))
  const scheme = signedBy ?? (access === 'anyone' ? null : 'session')
  return {
    security: scheme === null ? [] : [{ [scheme]: [] }],
    parameters: [...ids, ...parameters],
    ...(body && { requestBody: { required: true, content: json(body) } }),
    responses: Object.fromEntries(
      ([200, 201, 202] as const).flatMap((status) => {
        const answer = form[status]
        return answer === undefined ? [] : [[status, answer === 'file' ? {} : { content: json(answer) }]]
      }),
    ),
  }
}

function json(schema: z.ZodType): Json {
  return { 'application/json': { schema: toJsonSchema(schema) } }
}

/**
 * As it is sent: who answers or asks may leave out what has a default.
 * @throws Error for a schema with code, which nobody would run
 */
export function toJsonSchema(schema: z.ZodType): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', override: refuseCode })
  return joinNull(rest) as Json
}

function refuseCode({ zodSchema }: { zodSchema: z.core.$ZodTypes }): void {
  const { type, checks = [] } = zodSchema._zod.def as z.core.$ZodTypeDef
  const kinds = [type, ...checks.map(({ _zod }) => _zod.def.check)]
  const code = kinds.find((kind) => ['pipe', 'transform', 'overwrite', 'custom'].includes(kind))
  if (code !== undefined) throw new Error(`A form cannot have a ${code}: JSON Schema does not know it.`)
}

/** "A text or null" as one type with two names: a value that is neither gets one complaint. */
function joinNull(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(joinNull)
  if (typeof node !== 'object' || node === null) return node
  const joined = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, joinNull(value)]))
  const { anyOf, ...rest } = joined as { anyOf?: [Json, Json?] }
  if (anyOf?.length !== 2 || anyOf[1]?.type !== 'null' || typeof anyOf[0].type !== 'string') return joined
  const [value] = anyOf
  return {
    ...rest,
    ...value,
    type: [value.type, 'null'],
    ...(Array.isArray(value.enum) && { enum: [...(value.enum as Json[]), null] }),
  }
}
