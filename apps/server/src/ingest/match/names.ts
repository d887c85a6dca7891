import { plain, plainPath } from '../../catalog/model-key.ts'
import { lookUp } from './identify.ts'
import { makers, optionalSegments } from './taxonomy.ts'

/**
 * The key under which claims of one resource meet: case and punctuation are one, and a path before a model's name that
 * its platform does not need is left out. `openrouter:x-ai/grok-3-mini` and `openrouter:grok-3-mini` are one resource,
 * `azure:gpt-4o` and `azure:eu:gpt-4o` are two.
 */
export function resourceKey(resourceId: string): string {
  const [, platform = '', rest = ''] = /^([^:]*):(.*)$/s.exec(resourceId) ?? []
  const path = lookUp(optionalSegments, platform.toLowerCase())?.exec(rest.toLowerCase())?.[0] ?? ''
  const isPath = path !== '' && path.length < rest.length && (path.startsWith('accounts/') || isMaker(path))
  return `${plain(platform)}:${(isPath ? rest.slice(path.length) : rest).split(/[:]/).map(plainPath).join(':')}`
}

/** `resourceKey` of a record, which is found once: a run asks for it eight times. */
export function buildKey(record: { resource_id: string }): string {
  let key = keys.get(record)
  if (key === undefined) keys.set(record, (key = resourceKey(record.resource_id)))
  return key
}

const keys = new WeakMap<object, string>()

function isMaker(path: string): boolean {
  return lookUp(makers, path.slice(0, -1)) !== undefined
}
