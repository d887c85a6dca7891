// The pages that a stranger and a search engine see, on the bundled prices: one of each kind, and its odd ones.

/** One page of each kind. */
export const kinds = {
  home: '/',
  models: '/models',
  model: '/models/google/gemini-2.5-pro',
  calculator: '/models/deepseek/deepseek-chat?in=100&out=20&cached=50',
  vendor: '/vendors/openai',
  platform: '/platforms/anthropic',
  comparison:
    '/compare?models=openai/gpt-4o,google/gemini-2.5-pro,deepseek/deepseek-chat,anthropic/claude-sonnet-4-5',
  changes: '/changes',
  change: '/changes/',
  data: '/data',
  truth: '/truth',
}
export type Kind = keyof typeof kinds

export const everyKind = Object.keys(kinds) as Kind[]

export const oddPages = [
  '/models?q=claude+sonnet+4.5',
  '/models?show=limit,released,cutoff,abilities&hide=maker',
  '/models?q=nothing+is+called+so',
  '/changes/2026-w33',
  '/plans',
  '/status',
  '/no/such/page',
]

/** The path of a page of a kind on this server: a change has the id that it was published with. */
export async function findPage(url: string, kind: string): Promise<string> {
  const path = kinds[kind as Kind] ?? kind
  if (kind !== 'change') return path
  const list = await (await fetch(`${url}/changes`)).text()
  const [found] = /\/changes\/(?!\d{4}-w)[\w.-]+(?=")/.exec(list) ?? []
  if (found === undefined) throw new Error('The bundled changes are not in /changes.')
  return found
}
