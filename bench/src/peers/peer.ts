import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

// The settings of a peer, and how it reports that it serves. Each peer is a process that ends with the one that started it.

export const keyCount = 1_000
export const dailyLimit = 100_000_000

/** @throws Error when the variable is not set */
export function given(name: 'DATABASE_URL' | 'ANSWER' | 'CHECK_ANSWERS'): string {
  const value = process.env[name]
  if (value === undefined) throw new Error(`${name} is not set.`)
  return value
}

/** Listens on a free port of the loopback and tells the parent which. */
export function announce(server: Server): void {
  const sayPort = () => process.send?.({ port: (server.address() as AddressInfo).port })
  if (server.listening) sayPort()
  else server.listen(0, '127.0.0.1', sayPort)
  process.on('disconnect', () => process.exit())
}
