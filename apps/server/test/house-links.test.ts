import { expect, test } from 'vitest'
import { readConfig } from '../src/platform/config.ts'
import { useApi } from './support/api.ts'
import { useDatabase } from './support/postgres.ts'

const database = useDatabase()
const bare = useApi(database)
const named = useApi(database, {
  env: {
    CONTACT: 'hello@prices.example',
    FOOTER_LINKS: 'Terms=https://prices.example/terms, Privacy=https://prices.example/privacy?a=1',
    PUBLIC_URL: 'https://prices.example',
  },
})
const read = async (url: string) => (await fetch(url, { headers: { accept: 'text/html' } })).text()
const footOf = (page: string) => page.slice(page.indexOf('<footer'))

test('what the operator says of themselves stands at the foot of every page, and nothing where nothing is set', async () => {
  for (const path of ['/', '/plans', '/nowhere']) {
    const foot = footOf(await read(named.url + path))
    expect(foot).toContain('<a href="mailto:hello@prices.example">Contact</a>')
    expect(foot).toContain('<a href="https://prices.example/terms">Terms</a>')
    expect(foot).toContain('<a href="https://prices.example/privacy?a=1">Privacy</a>')
    expect(footOf(await read(bare.url + path))).not.toMatch(/Contact|Terms|Privacy/)
  }
  expect(await (await fetch(`${bare.url}/dashboard/house.json`)).json()).toEqual([])
  expect(await (await fetch(`${named.url}/dashboard/house.json`)).json()).toMatchObject([
    { label: 'Contact', url: 'mailto:hello@prices.example' },
    { label: 'Terms' },
    { label: 'Privacy' },
  ])
})

test('security.txt names whom to tell, and ends within a year (RFC 9116)', async () => {
  const answer = await fetch(`${named.url}/.well-known/security.txt`)
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const fields = Object.fromEntries(
    (await answer.text())
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/: (.*)/)),
  ) as Record<string, string>
  expect(fields).toMatchObject({
    Contact: 'mailto:hello@prices.example',
    Canonical: 'https://prices.example/.well-known/security.txt',
  })
  const days = (Date.parse(fields.Expires ?? '') - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(150)
  expect(days).toBeLessThan(365)
  expect((await fetch(`${bare.url}/.well-known/security.txt`)).status).toBe(404)
})

test('where nothing is sold, plans lead to whom to ask, never to a page that sells nothing', async () => {
  const [asked, silent] = await Promise.all([read(`${named.url}/plans`), read(`${bare.url}/plans`)])
  expect(asked).toMatch(/href="mailto:hello@prices\.example">\s*Ask about Developer/)
  for (const page of [asked, silent]) expect(page).not.toContain('"/dashboard/billing"')
  expect(silent).toContain('Ask whoever runs this server.')
})

test.each([
  ['FOOTER_LINKS', 'Terms=javascript:alert(1)'],
  ['FOOTER_LINKS', 'https://prices.example/terms'],
  ['FOOTER_LINKS', Array.from({ length: 6 }, (_, i) => `L${i}=https://a.example`).join()],
  ['CONTACT', 'http://prices.example'],
  ['CONTACT', 'ask me'],
])('%s may not be %s', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name} must be`)
})

test('the sign is there in each form that browsers, phones and feeds ask for', async () => {
  const read = async (path: string) => {
    const answer = await fetch(bare.url + path)
    expect([path, answer.status]).toEqual([path, 200])
    return { type: answer.headers.get('content-type'), content: Buffer.from(await answer.arrayBuffer()) }
  }
  const pngHead = Buffer.from('89504e470d0a1a0a', 'hex')
  const sizeOf = (png: Buffer) => [png.readUInt32BE(16), png.readUInt32BE(20)]
  const ico = await read('/favicon.ico')
  expect(ico.content.subarray(0, 6)).toEqual(Buffer.from([0, 0, 1, 0, 1, 0]))
  const png = ico.content.subarray(ico.content.readUInt32LE(18))
  expect(png.length).toBe(ico.content.readUInt32LE(14))
  expect([png.subarray(0, 8), sizeOf(png)]).toEqual([pngHead, [ico.content[6], ico.content[7]]])
  const touch = await read('/apple-touch-icon.png')
  expect([touch.type, sizeOf(touch.content)]).toEqual(['image/png', [180, 180]])
  const { icons } = JSON.parse((await read('/site.webmanifest')).content.toString()) as {
    icons: { src: string; type: string }[]
  }
  for (const { src, type } of icons) expect((await read(src)).type).toBe(type)
})

test('the home page says where a search engine may search', async () => {
  const [, text = ''] =
    /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(await read(`${named.url}/`)) ?? []
  expect(JSON.parse(text)).toMatchObject({
    '@type': 'WebSite',
    potentialAction: { target: 'https://prices.example/models?q={search_term_string}' },
  })
})
