// The pages that a stranger and a search engine see, on the bundled prices: one of each kind, and its odd ones.

/** One page of each kind. */
export const kinds = {
  home: '/',
  models: '/models',
  model: '/models/google/gemini-2.5-pro',
  calculator: '/calculator?model=deepseek/deepseek-chat&in=100&out=20&cached=50',
  vendor: '/vendors/openai',
  platform: '/platforms/anthropic',
  comparison: '/compare/',
  changes: '/changes',
  change: '/changes/',
  data: '/data',
  truth: '/truth',
}
export type Kind = keyof typeof kinds

export const everyKind = Object.keys(kinds) as Kind[]

export const oddPages = [
  '/compare?models=openai/gpt-4o,google/gemini-2.5-pro,deepseek/deepseek-chat,anthropic/claude-sonnet-4-5',
  '/models?q=claude+sonnet+4.5',
  '/models?show=limit,released,cutoff,abilities&hide=maker',
  '/models?q=nothing+is+called+so',
  '/calculator',
  '/calculator?model=nothing+is+called+so',
  '/changes/2026-w33',
  '/plans',
  '/status',
  '/no/such/page',
]

/** Pages that another one leads to: a change has the id that it was published with, and pairs are those asked for. */
const ledTo: Record<string, [from: string, link: RegExp]> = {
  change: ['/changes', /\/changes\/(?!\d{4}-w)[\w.-]+(?=")/],
  comparison: ['/compare', /\/compare\/[^"]+-vs-[^"]+/],
}

/** The path of a page of a kind on this server. */
export async function findPage(url: string, kind: string): Promise<string> {
  const [from, link] = ledTo[kind] ?? []
  if (from === undefined || link === undefined) return kinds[kind as Kind] ?? kind
  const [path] = link.exec(await (await fetch(url + from)).text()) ?? []
  if (path === undefined) throw new Error(`${from} leads to no ${kind}.`)
  return path
}
