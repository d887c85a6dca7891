import { buildKey, resourceKey } from './names.ts'
import type { SourceRecord } from '../source-record.ts'
import { lookUp } from './identify.ts'
import { ownModels } from './taxonomy.ts'

/**
 * Why a record's name is a trap: `gpt-4o` with a Cyrillic о would be a new model beside the true one, at a price of its
 * own. Null: it is none. Platforms that sell their own models write ids in ASCII, as every id of every list that is read
 * shows; elsewhere a name may have other letters, unless it looks like another one of the file.
 * @param keys `asciiKeys` of the file
 */
export function findLookAlike(
  { resource_id, platform, model_name, is_named }: SourceRecord,
  keys: ReadonlySet<string>,
): string | null {
  if (isAscii(resource_id) && (isAscii(model_name) || !is_named)) return null
  const seller = withAsciiLetters(platform ?? '').toLowerCase()
  if (lookUp(ownModels, seller) !== undefined) return `ids on ${seller} are ASCII; ${adviceFor(resource_id)}`
  if (is_named && !isAscii(model_name)) return `names of makers' models are ASCII; ${adviceFor(model_name)}`
  const likeness = withAsciiLetters(resource_id)
  return keys.has(resourceKey(likeness)) ? `it looks like ${likeness}; ${adviceFor(resource_id)}` : null
}

/** The keys of the records that a name can be made to look like. */
export function asciiKeys(records: readonly SourceRecord[]): ReadonlySet<string> {
  return new Set(records.filter(({ resource_id }) => isAscii(resource_id)).map(buildKey))
}

function isAscii(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

function adviceFor(text: string): string {
  const codes = [...text.matchAll(/[^\x20-\x7e]/gu)].map(([character]) => {
    const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')
    return `U+${code}`
  })
  return `write it without ${[...new Set(codes)].join(', ')}`
}

/** As it looks: each letter that looks like one of ASCII is that one. */
function withAsciiLetters(text: string): string {
  return [...text].map((letter) => letters.get(letter) ?? letter).join('')
}

const letters = new Map(
  [
    // Cyrillic
    ['асԁеԍһіјӏорԛѕԝхуѵ', 'acdeghijlopqswxyv'],
    ['АВСЕНІЈКМОРԚЅТԜХУѴ', 'ABCEHIJKMOPQSTWXYV'],
    // Greek
    ['αγικνορτυχ', 'ayikvoptux'],
    ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ', 'ABEZHIKMNOPTYX'],
  ].flatMap(([from = '', to = '']) => [...from].map((letter, index) => [letter, to[index]!] as const)),
)
