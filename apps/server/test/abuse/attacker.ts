import { once } from 'node:events'
import { readdir, readFile, readlink } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { expect, onTestFinished } from 'vitest'
import { request, type RequestOptions } from '../support/client.ts'
import type { ServerProcess } from '../support/process.ts'

// The actions of an attacker, on sockets of its own, and their effect on a customer.

/** A connection that is open and reads nothing. It ends with the test. */
export async function openSocket(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  // Half-open on purpose: the other side's end is not answered by ours.
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  await once(socket, 'connect')
  return socket.pause()
}

/** Many of them. */
export function openSockets(url: string, count: number): Promise<Socket[]> {
  return Promise.all(Array.from({ length: count }, () => openSocket(url)))
}

/** One connection sends these requests in one go, and reads no answer. */
export async function sendUnread(url: string, requests: string): Promise<Socket> {
  const socket = await openSocket(url)
  socket.write(requests)
  return socket
}

/** Fills the buffers between server and client: everything after it waits. */
export const filling = 'GET /openapi.json HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(80)

export interface Feeling {
  statuses: number[]
  /** The longest that an answer took. */
  worstMs: number
}

/** A customer that sends one request after another. */
export async function ask(
  url: string,
  path: string,
  { times = 10, ...options }: RequestOptions & { times?: number } = {},
): Promise<Feeling> {
  const statuses: number[] = []
  let worstMs = 0
  for (let count = 0; count < times; count += 1) {
    const beganMs = performance.now()
    const { status } = await request(url, path, options)
    worstMs = Math.max(worstMs, performance.now() - beganMs)
    statuses.push(status)
  }
  return { statuses, worstMs }
}

/** For tests of how long a customer waits: an attack that holds one up does so each time, a busy machine does not. */
export const again = { retry: 2 }

/** Every answer was a 200, and none took a second. */
export function expectUndisturbed({ statuses, worstMs }: Feeling): void {
  expect([...new Set(statuses)]).toEqual([200])
  expect(worstMs).toBeLessThan(1_000)
}

/** Requests that are worked on, by the server's own count. */
export async function readInFlight({ adminUrl }: ServerProcess): Promise<number> {
  const text = await (await fetch(`${adminUrl}/metrics`)).text()
  const values = [...text.matchAll(/^ratecard_http_requests_in_flight(?:\{[^}]*\})? (\d+)$/gm)]
  return values.reduce((sum, [, value]) => sum + Number(value), 0)
}

const bytesPerMib = 1_024 * 1_024

/** Resident memory of a server process, in MiB. */
export async function readMemoryMib({ child }: ServerProcess): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return (Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024) / bytesPerMib
}

/** The number of these connections that a server process holds, without those that only their client has left open. */
export async function countHeld({ child }: ServerProcess, sockets: readonly Socket[]): Promise<number> {
  const folder = `/proc/${child.pid}/fd`
  const links = (await readdir(folder)).map((name) => readlink(`${folder}/${name}`).catch(() => ''))
  const held = new Set((await Promise.all(links)).map((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1]))
  const ports = new Set(sockets.map(({ localPort }) => localPort))
  const tables = await Promise.all(['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8')))
  // Columns of proc(5): the third is the other end, the tenth the inode.
  const rows = tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)))
  return rows.filter(
    ([, , end, , , , , , , inode]) =>
      ports.has(Number.parseInt(end?.split(':')[1] ?? '', 16)) && held.has(inode),
  ).length
}
