import { once } from 'node:events'
import { createConnection, createServer, type AddressInfo, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

// BackendKeyData of PostgreSQL's protocol: 'K', a length of 12, the number of the process, a secret.
const keyData = Buffer.from([0x4b, 0, 0, 0, 12])

/**
 * A proxy that tells clients another process than the one that serves them, as every pooler does. It passes on all
 * else, so a setting that were left in a session would be seen there.
 */
export async function openHidingProxy(databaseUrl: string): Promise<string> {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = createConnection(Number(target.port), target.hostname)
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => undefined)
    }
    client.pipe(upstream)
    let isHidden = false
    upstream.on('data', (bytes: Buffer) => {
      const at = isHidden ? -1 : bytes.indexOf(keyData)
      if (at >= 0) {
        bytes.writeInt32BE(bytes.readInt32BE(at + keyData.length) + 1, at + keyData.length)
        isHidden = true
      }
      client.write(bytes)
    })
    upstream.on('end', () => client.end())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const url = new URL(databaseUrl)
  url.port = String((server.address() as AddressInfo).port)
  return url.href
}
