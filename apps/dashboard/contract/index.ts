import type { components, operations } from './generated/types.ts'

export type { components, operations, paths } from './generated/types.ts'

/** What the pages may ask of the server. */
export type OperationId = keyof operations

/** Every component schema by its name. */
export type Schemas = components['schemas']
