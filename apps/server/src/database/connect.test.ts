import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { connect, isDatabaseUnavailable } from './connect.ts'

/** A message of PostgreSQL's protocol: its type, its length, its body. */
function message(type: string, body: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(body.length + 4)
  return Buffer.concat([Buffer.from(type), length, body])
}

const authenticated = message('R', Buffer.alloc(4))
const ready = message('Z', Buffer.from('I'))
const terminated = message(
  'E',
  Buffer.from('SFATAL\0VFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'),
)

/** Ends each connection in the packet that makes it ready, as PostgreSQL does when it shuts down at that moment. */
async function openShortLivedDatabase(): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(Buffer.concat([authenticated, ready, terminated])))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `postgres://ratecard@127.0.0.1:${(server.address() as AddressInfo).port}/ratecard`
}

test('a connection that ends in the moment it is made fails its statement, and not the process', async () => {
  const db = connect({ connectionString: await openShortLivedDatabase() })
  onTestFinished(() => db.destroy())
  for (let n = 1; n <= 3; n += 1) {
    const error: unknown = await sql`select 1`.execute(db).catch((reason: unknown) => reason)
    expect(isDatabaseUnavailable(error)).toBe(true)
  }
})
