import { stripVendor } from './subject.ts'

/** A model's name in parts: `claude-3-5-haiku` and `claude-haiku-3.5` are both 3.5 of one family. */
interface ModelName {
  /** The words without the version, sorted. */
  family: string
  version: readonly number[]
  isPreview: boolean
  /** The letters at the version, and the first word: `qwen` of `qwen3-max`, `gemini` of `gemini-2.5-pro`. */
  mark: string
  first: string
}

const previewWords = new Set(['preview', 'exp', 'experimental', 'beta'])

/**
 * The product that follows another in its family: the one of the next higher version, or the release of a preview.
 * A version with a letter (`4o`), a size (`70b`) or a date is part of the family: better no successor than a wrong one.
 * @param product as `vendor/model`, like the others, which are of the same vendor
 */
export function findSuccessor(product: string, others: Iterable<string>): string | null {
  const name = parseName(product)
  if (name === null) return null
  const later = [...new Set(others)].flatMap((other) => {
    const candidate = parseName(other)
    if (candidate?.family !== name.family || candidate.isPreview) return []
    const order = compareVersions(candidate.version, name.version)
    return order > 0 || (order === 0 && name.isPreview)
      ? [{ product: other, version: candidate.version }]
      : []
  })
  later.sort((a, b) => compareVersions(a.version, b.version) || (a.product < b.product ? -1 : 1))
  return later[0]?.product ?? null
}

/** Below 0: the first is the earlier version; null: they are not versions of one family by their first words. */
export function versionOrder(a: string, b: string): number | null {
  const [left, right] = [parseName(a), parseName(b)]
  if (left === null || right === null || left.mark !== right.mark || left.first !== right.first) return null
  return compareVersions(left.version, right.version)
}

function parseName(product: string): ModelName | null {
  const words = stripVendor(product)
    .toLowerCase()
    .split(/[-_/ ]/)
  const start = words.findIndex((word) => parseVersion(word) !== null)
  if (start === -1) return null
  const { mark, version } = parseVersion(words[start]!)!
  // `4-5` is a spelling of 4.5.
  const minor = /^\d$/.test(words[start + 1] ?? '') && version.length === 1 ? [Number(words[start + 1])] : []
  const rest = [...words.slice(0, start), ...words.slice(start + 1 + minor.length)]
  return {
    family: [`${mark}#`, ...rest.filter((word) => !previewWords.has(word)).sort()].join(' '),
    version: [...version, ...minor],
    mark,
    first: start === 0 ? '' : words[0]!,
    isPreview: rest.some((word) => previewWords.has(word)),
  }
}

/** `3`, `2.5`, `v3.1`, `o3`, `qwen3`: a number of up to two digits, with the letters before it. */
function parseVersion(word: string): { mark: string; version: number[] } | null {
  const match = /^([a-z]*)(\d{1,2}(?:\.\d{1,2})*)$/.exec(word)
  return match ? { mark: match[1]!, version: match[2]!.split('.').map(Number) } : null
}

function compareVersions(a: readonly number[], b: readonly number[]): number {
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const difference = (a[index] ?? 0) - (b[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
