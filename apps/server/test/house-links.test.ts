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
