// The types of the platform, where the program has them: of the DOM, of Node, of Workers. A program with none of these
// still compiles.

type OfGlobal<Name extends string> =
  typeof globalThis extends Record<Name, { prototype: infer Instance }> ? Instance : object

export type WebRequest = OfGlobal<'Request'>
export type WebResponse = OfGlobal<'Response'>

/** The global `fetch`, by its type. */
export type FakeFetch = typeof globalThis extends { fetch: infer Fetch }
  ? Fetch
  : (url: string, init?: object) => Promise<WebResponse>
