import { hasRetired } from '@ratecard/contract/wording'
import { resolve, type Catalog } from '../../../packages/cost/src/core.ts'
import type { CatalogRecord } from '../../../packages/cost/src/types.ts'
import type { SourceFile } from './files.ts'
import type { Place } from './runner.ts'

/** A model that the code names, and what is wrong with that. */
export interface Pin {
  name: string
  resourceId: string
  /** `retiring`: its last day is announced, and nothing fails. */
  kind: 'retired' | 'retiring' | 'mispriced'
  retiresOn: string | null
  /** Undefined: it is an input of the step. */
  place?: Place
}

/** Names as programs write them, in quotes or behind a colon or an equals sign. */
const names = /(?<=["'`]|[:=]\s*)[A-Za-z0-9][\w.:/@-]{1,199}(?=["'`]|\s*(?:#|,|$))/g

/** Where models are pinned that are retired, retire, or have a wrong amount in a table. */
export function findPins(
  files: readonly SourceFile[],
  models: readonly string[],
  mispriced: ReadonlySet<string>,
  catalog: Catalog,
): Pin[] {
  const look = createLookUp(mispriced, catalog)
  const pins = models.flatMap((name) => look(name))
  for (const { path: file, text } of files)
    for (const [index, line] of text.split('\n').entries())
      for (const { 0: name, index: column } of line.matchAll(names)) {
        const found = look(name)
        if (found.length === 0 || (isWord(name) && !saysModel(line.slice(0, column)))) continue
        pins.push(...found.map((pin) => ({ ...pin, place: { file, line: index + 1 } })))
      }
  return pins
}

/** `command` is a model of Cohere, and a word: it is a name where it stands behind "model". */
function isWord(name: string): boolean {
  return /^[a-z]+$/i.test(name)
}

function saysModel(before: string): boolean {
  return /model\w*["'`]?\s*[:=(]\s*["'`]?$/i.test(before.slice(-100))
}

/** Most words of a program name no model: those that may are looked up as `@ratecard/cost` does. */
function createLookUp(mispriced: ReadonlySet<string>, catalog: Catalog): (name: string) => Pin[] {
  const suspects = catalog
    .records()
    .filter(({ resource_id, retires_on }) => retires_on != null || mispriced.has(resource_id))
  const known = new Set(suspects.flatMap(listNames).flatMap(listTails))
  const seen = new Map<string, Pin[]>()
  return (name) => {
    let pins = seen.get(name)
    if (pins === undefined) {
      pins = listTails(name).some((tail) => known.has(tail)) ? judge(name, mispriced, catalog) : []
      seen.set(name, pins)
    }
    return pins
  }
}

function listNames({ resource_id, product_id, aliases = [] }: CatalogRecord): string[] {
  return [resource_id, product_id ?? '', ...aliases.flatMap(({ key, model_name }) => [key, model_name])]
}

/** A name without what gateways and clouds write before it. */
function listTails(name: string): string[] {
  const lower = name.toLowerCase()
  return [lower, ...[...lower.matchAll(/[/:.]/g)].map(({ index }) => lower.slice(index + 1))].filter(
    (tail) => tail.length > 1,
  )
}

function judge(name: string, mispriced: ReadonlySet<string>, catalog: Catalog): Pin[] {
  const found = resolve(name, { catalog })
  if (!found.isResolved) return []
  const { resource_id: resourceId, retires_on: retiresOn = null } = found.record
  const pin = { name, resourceId, retiresOn }
  return [
    ...(retiresOn === null
      ? []
      : [{ ...pin, kind: hasRetired(retiresOn) ? ('retired' as const) : ('retiring' as const) }]),
    ...(mispriced.has(resourceId) ? [{ ...pin, kind: 'mispriced' as const }] : []),
  ]
}
