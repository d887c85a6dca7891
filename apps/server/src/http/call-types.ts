// What a generated operation says of its request, for the calls of both interfaces.

export type QueryOf<Operation extends { parameters: unknown }> = Operation['parameters'] extends {
  query?: infer Query
}
  ? NonNullable<Query>
  : never
export type PathOf<Operation extends { parameters: unknown }> = Operation['parameters'] extends {
  path: infer Path
}
  ? Path
  : never
export type BodyOf<Operation> = Operation extends {
  requestBody: { content: { 'application/json': infer Body } }
}
  ? Body
  : never
