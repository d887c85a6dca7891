import { createReadStream, createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { connect } from '../database/connect.ts'
import { writeSnapshot } from './forms.ts'
import { licensedSnapshot } from './licensed.ts'
import type { FileTask } from './make-file.ts'
import { withSnapshot } from './read-snapshot.ts'
import { lowerThreadPriority } from '../platform/thread-priority.ts'
import { answerInThread } from '../threads/answer.ts'

// The file with all prices as anybody may have it, in a thread and on a connection of its own: `make-file.ts` starts it.

/** The thread has the least priority, so a connection may take long. Nobody waits longer for a file. */
const connectTimeoutMs = 20_000

answerInThread(async ({ connectionString, paths }: FileTask) => {
  lowerThreadPriority()
  await using db = connect({ connectionString, connectTimeoutMs, connectionsMax: 1 })
  await withSnapshot(db, null, (snapshot) =>
    writeSnapshot(licensedSnapshot(snapshot), 'json', paths.identity),
  )
  await pipeline(createReadStream(paths.identity), createGzip({ level: 6 }), createWriteStream(paths.gzip))
})
