import { readFile, writeFile } from 'node:fs/promises'
import { Ratecard } from '@ratecard/sdk'

// Prints every change of some weight as it is published, until Ctrl-C. A restart goes on where it was.

const checkpointFile = 'changes.checkpoint'
const since = await readFile(checkpointFile, 'utf8').catch(() => undefined)

const stop = new AbortController()
process.once('SIGINT', () => stop.abort())
process.once('SIGTERM', () => stop.abort())

const client = new Ratecard()
try {
  const changes = client.changes.poll({
    since,
    minSeverity: 3,
    intervalMs: 60_000,
    signal: stop.signal,
    onCheckpoint: (checkpoint) => writeFile(checkpointFile, checkpoint),
  })
  for await (const change of changes) {
    console.log(`${change.category}  ${change.title}`)
  }
} catch (error) {
  if (!stop.signal.aborted) throw error
}
