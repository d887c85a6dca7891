/** What the contract lets a request of an operation bring along. */
export interface Input<Operation extends { parameters: unknown }> {
  query: Operation['parameters'] extends { query?: infer Query } ? NonNullable<Query> : never
  path: Operation['parameters'] extends { path: infer Path } ? Path : never
  body: Operation extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : never
}
