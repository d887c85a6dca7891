import { setTimeout } from 'node:timers/promises'
import type { Db } from '../../src/database/connect.ts'
import { makeExports } from '../../src/exports/make-exports.ts'
import { createSigner } from '../../src/exports/signature.ts'
import { listVersionMs } from '../../src/http/limits/index.ts'

/** Makes the files that strangers load, as a worker does, and waits until a server knows of them. */
export async function makeKeptFiles(db: Db): Promise<void> {
  await makeExports(db, createSigner('secret'))
  await setTimeout(listVersionMs + 100)
}
