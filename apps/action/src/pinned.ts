import { setImmediate } from 'node:timers/promises'
import { formatRetirement, hasRetired } from '@ratecard/contract/wording'
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
  says: string
  /** Undefined: it is an input of the step. */
  place?: Place
}

/**
 * Names as programs write them, in quotes or behind a colon or an equals sign. A stranger writes the lines: blanks are
 * counted, and a name is taken as a whole (`\1`), so that no line takes long.
 */
const names = /[A-Za-z0-9](?<=(?:["'`]|[:=]\s{0,80}).)(?=([\w.:/@-]{1,199}))\1(?=["'`]|\s{0,80}(?:#|,|$))/g

/** Where models are pinned that are retired, retire, or have a wrong amount in a table. */
export async function findPins(
  files: readonly SourceFile[],
  models: readonly string[],
  mispriced: ReadonlySet<string>,
  catalog: Catalog,
): Promise<Pin[]> {
  const look = createLookUp(mispriced, catalog)
  const pins = models.flatMap((name) => look(name))
  for (const { path: file, text } of files) {
    // The step's time runs out between two files.
    await setImmediate()
    for (const [index, line] of text.split('\n').entries())
      for (const { 0: name, index: column } of line.matchAll(names)) {
        const found = look(name)
        if (found.length === 0 || (isWord(name) && !saysModel(line.slice(0, column)))) continue
        pins.push(...found.map((pin) => ({ ...pin, place: { file, line: index + 1 } })))
      }
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
    .filter((record) => findEnd(record) !== null || mispriced.has(record.resource_id))
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
  const { resource_id: resourceId } = found.record
  const end = findEnd(found.record)
  return [
    ...(end === null ? [] : [{ name, resourceId, ...end }]),
    ...(mispriced.has(resourceId)
      ? [{ name, resourceId, kind: 'mispriced' as const, says: 'has a wrong amount in a price table' }]
      : []),
  ]
}

/** That a model is retired or will be, by its announced day, by its price's last one, or because no list has it. */
function findEnd({ retires_on, ended_on, gone_since }: CatalogRecord): Pick<Pin, 'kind' | 'says'> | null {
  if (retires_on != null && hasRetired(retires_on))
    return { kind: 'retired', says: formatRetirement(retires_on) }
  if (gone_since != null) return { kind: 'retired', says: `is on no list since ${gone_since.slice(0, 10)}` }
  const lastDay = ended_on?.slice(0, 10)
  if (lastDay !== undefined && hasRetired(lastDay))
    return { kind: 'retired', says: `has no price since ${lastDay}` }
  return retires_on == null ? null : { kind: 'retiring', says: formatRetirement(retires_on) }
}
