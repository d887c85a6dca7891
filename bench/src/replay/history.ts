import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { allStates, type PriceFile } from '../judgement/price-files.ts'

// Every state of every list that there is, and what the vendors announced in that time.

const folders = ['litellm', 'models.dev', 'genai-prices'] as const

/** The oldest first. */
export async function historyOf(folder: string): Promise<PriceFile[]> {
  const files = await Promise.all(
    folders.map(async (source) => {
      const names = await readdir(join(folder, 'history', source))
      return names.flatMap((name): PriceFile[] => {
        const [, day, hour, minute, second] = /^([\d-]{10})T(\d\d)-(\d\d)-(\d\d)\.json\.gz$/.exec(name) ?? []
        if (!day) return []
        const at = `${day}T${hour}:${minute}:${second}Z`
        return [{ source, path: join('history', source, name), at }]
      })
    }),
  )
  return [...files.flat(), ...allStates].sort((a, b) => (a.at < b.at ? -1 : 1))
}

/** A move of a vendor's list price; where both sides are equal, that there was none. */
export interface VendorMove {
  resource_id: string
  /** The day, UTC. */
  on: string
  /** Input and output in USD per million tokens. */
  before: readonly [number, number]
  after: readonly [number, number]
  why: string
}

export async function readVendorMoves(folder: string): Promise<VendorMove[]> {
  const text = await readFile(join(folder, 'history', 'vendor-moves.json'), 'utf8')
  return (JSON.parse(text) as { moves: VendorMove[] }).moves
}
