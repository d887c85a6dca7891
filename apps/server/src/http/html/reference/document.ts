import { resolve } from '../../../platform/contract.ts'

/** As much of an OpenAPI document as the reference shows. */
export interface ReferenceDocument {
  info: { title: string; version: string; summary?: string; description?: string }
  security?: object[]
  tags?: readonly { name: string; description?: string }[]
  paths: Record<string, Partial<Record<string, OperationObject>>>
  webhooks?: Record<string, Partial<Record<string, OperationObject>>>
}

export interface OperationObject {
  operationId: string
  tags?: readonly string[]
  summary?: string
  description?: string
  security?: object[]
  parameters?: readonly (ParameterObject | Reference)[]
  requestBody?: { description?: string; content: Record<string, MediaObject> }
  responses?: Record<string, ResponseObject | Reference>
}

export interface ParameterObject {
  name: string
  in: 'query' | 'path' | 'header' | 'cookie'
  required?: boolean
  description?: string
  schema?: SchemaObject | Reference
  example?: unknown
}

export interface ResponseObject {
  description: string
  headers?: Record<string, ParameterObject | Reference>
  content?: Record<string, MediaObject>
}

export interface MediaObject {
  schema?: SchemaObject | Reference
  examples?: Record<string, { summary?: string; value: unknown }>
}

export interface SchemaObject {
  type?: string | readonly string[]
  description?: string
  format?: string
  enum?: readonly unknown[]
  const?: unknown
  default?: unknown
  examples?: readonly unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  required?: readonly string[]
  properties?: Record<string, SchemaObject | Reference>
  items?: SchemaObject | Reference
  oneOf?: readonly (SchemaObject | Reference)[]
  anyOf?: readonly (SchemaObject | Reference)[]
  allOf?: readonly (SchemaObject | Reference)[]
}

export interface Reference {
  $ref: string
}

/** What a reference inside the document stands for, with what is said beside it. */
export function resolved<T extends object>(document: object, value: T | Reference): T {
  if (!('$ref' in value)) return value
  const { $ref, ...beside } = value
  return { ...resolve<T>(document, { $ref }), ...beside }
}

export interface ReferenceOperation {
  method: string
  path: string
  operation: OperationObject
  isPublic: boolean
}

/** The operations of a tag, in the order of the document. */
export function listOperations(document: ReferenceDocument, tag: string): ReferenceOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) => {
      if (!operation?.tags?.includes(tag)) return []
      const isPublic = (operation.security ?? document.security ?? []).length === 0
      return [{ method: method.toUpperCase(), path, operation, isPublic }]
    }),
  )
}
