import { beforeAll, expect, test } from 'vitest'
import { priceRecord, storePrices } from './support/actors.ts'
import { useApi } from './support/api.ts'
import { makeKeptFiles } from './support/kept-files.ts'
import { useDatabase } from './support/postgres.ts'

// No network takes the public pages and files from others.

const database = useDatabase()
const api = useApi(database, { env: { TRUSTED_PROXIES: '127.0.0.0/8' } })
beforeAll(async () => {
  await storePrices(database.db, [priceRecord({ resource_id: 'openai:gpt-4o' })])
})

async function ask(path: string, address: string, method = 'GET'): Promise<number> {
  const response = await fetch(api.url + path, { method, headers: { 'x-forwarded-for': address } })
  await response.arrayBuffer()
  return response.status
}

test('a network that asks for page after page gets four at a time, and others get theirs', async () => {
  const kept = ['/models', '/changes', '/status']
  for (const path of kept) expect(await ask(path, '198.51.100.1')).toBe(200)
  let isOver = false
  const crawled: number[] = []
  const crawlers = Array.from({ length: 60 }, async (_, crawler) => {
    for (let count = 0; !isOver; count += 1)
      crawled.push(await ask(`/compare?models=a${crawler}b${count}`, `2001:db8:1:2::${crawler + 1}`))
  })
  const visitors: number[] = []
  for (let count = 0; count < 8; count += 1) {
    for (const path of kept) visitors.push(await ask(path, '198.51.100.2'))
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  // A page that is not kept takes its turn behind the crawler's four.
  visitors.push(await ask('/compare?models=mine', '198.51.100.2'))
  isOver = true
  await Promise.all(crawlers)
  expect(visitors).toEqual(visitors.map(() => 200))
  expect(crawled).toContain(503)
  expect(crawled).toContain(200)
})

test('a network asks for the head of a file as often as it likes, and takes no copy from others', async () => {
  await makeKeptFiles(database.db)
  const heads: number[] = []
  for (let count = 0; count < 40; count += 1)
    heads.push(await ask('/snapshot.json', `2001:db8:1:3::${count + 1}`, 'HEAD'))
  expect(heads).toEqual(heads.map(() => 200))
  const copies: number[] = []
  for (let count = 0; count < 40; count += 1)
    copies.push(await ask('/snapshot.json', `2001:db8:1:4::${count + 1}`))
  expect(copies).toEqual([...Array<number>(6).fill(200), ...Array<number>(34).fill(503)])
  expect(await ask('/snapshot.json', '198.51.100.4')).toBe(200)
})
