import type { PriceRecord } from '../../../catalog/price-record.ts'
import { boundedText } from './text.ts'

/** Paths that platforms put before a model's name, and that say nothing about it. */
const paths = /^(?:accounts\/[^/]+\/(?:models|routers)\/|@(?:cf|hf)\/|fal-ai\/)/

/** The row as its platform names it: without platform, region, and paths where the rest is unambiguous. */
export function rowName(record: PriceRecord, outside: readonly PriceRecord[]): string {
  const name = readableName(record)
  const isTaken = outside.some(
    (other) =>
      other.platform === record.platform && other.region === record.region && readableName(other) === name,
  )
  return oneLine(isTaken ? ownName(record) : name)
}

/** The row as its platform names it, with its path. */
export function wholeName(record: PriceRecord): string {
  return oneLine(ownName(record))
}

/** The names by which a row may be meant: its whole name, and the one without its path. */
export function listNames(record: PriceRecord): string[] {
  return [...new Set([wholeName(record), oneLine(readableName(record))])]
}

export function oneLine(text: string): string {
  return boundedText(text, 10_000) || 'unnamed'
}

function readableName(record: PriceRecord): string {
  return dropPath(ownName(record))
}

export function dropPath(name: string): string {
  return name.replace(paths, '') || name
}

function ownName({ resource_id, platform, region }: PriceRecord): string {
  const location = [platform, region].filter((part) => part !== null)
  for (const start of [location.join(':'), platform ?? '']) {
    if (start !== '' && resource_id.startsWith(`${start}:`)) {
      return resource_id.slice(start.length + 1) || resource_id
    }
  }
  return resource_id
}
