import { bearerKey, isWellFormedKey } from '@ratecard/contract/api-key'
import { expect, test } from 'vitest'
import { generateApiKey } from '../src/features/accounts/api-key.ts'
import { parseMark, slotName } from '../src/features/cells/names.ts'
import { whyBehind } from '../src/features/cells/pulse.ts'
import { findProblems, routesText } from '../src/features/cells/routes.ts'
import { findSignUpUrl, readConfig } from '../src/platform/config.ts'
import { runHere } from './support/run-here.ts'

// Marks of keys, and the way to their cells. The databases themselves are tried in proofs/cells.test.ts.

test('a marked key has the form, the length and the checksum of every key, and two random characters less', () => {
  const keys = Array.from({ length: 200 }, () => generateApiKey('a1'))
  for (const key of keys) {
    expect(key).toMatch(/^rc_live_a1[0-9A-Za-z]{34}$/)
    expect(isWellFormedKey(key)).toBe(true)
    expect(bearerKey(`Bearer ${key}`)).toBe(key)
  }
  expect(new Set(keys).size).toBe(200)
})

test('marks that differ in case have slots of their own, and each slot names its mark', () => {
  const marks = ['a1', 'A1', 'aa', 'aA', 'Aa', 'AA', '00', 'z9', 'Z9']
  const names = marks.map((mark) => slotName(mark, '0f3a9c1e'))
  expect(new Set(names).size).toBe(marks.length)
  for (const name of names) expect(name).toMatch(/^[a-z0-9_]{1,63}$/)
  expect(names.map(parseMark)).toEqual(marks)
  expect(['ratecard_cell_', 'ratecard_cell_a1', 'other', 'ratecard_cell_a1b__0f'].map(parseMark)).toEqual([
    null,
    null,
    null,
    null,
  ])
})

test('the setting takes two characters, and hosts with a mark each', () => {
  for (const mark of ['a', 'a1b', 'a-', 'é1', 'a 1'])
    expect(() => readConfig({ CELL_MARK: mark })).toThrow(/CELL_MARK must be two characters/)
  expect(readConfig({ CELL_MARK: 'Z9' }).CELL_MARK).toBe('Z9')
  expect(
    readConfig({ CELL_HOSTS: 'home=https://prices.example, +a1=https://a1.prices.example/' }).CELL_HOSTS,
  ).toEqual([
    { mark: 'home', url: 'https://prices.example', takesSignUps: false },
    { mark: 'a1', url: 'https://a1.prices.example', takesSignUps: true },
  ])
  for (const hosts of [
    'a1',
    'a1=a1.example',
    'a1=https://x.example/path',
    'a1=https://x.example,a1=https://y.example',
    'a1=javascript:alert(1)',
    '+a1=https://x.example,+b2=https://y.example',
  ])
    expect(() => readConfig({ CELL_HOSTS: hosts })).toThrow(/CELL_HOSTS must be cells/)
})

test('new accounts are made in the cell with a plus: the others lead there', () => {
  const lead = (hosts: string, publicUrl: string) =>
    findSignUpUrl(readConfig({ CELL_HOSTS: hosts }), publicUrl)
  const hosts = 'home=https://prices.example,+a1=https://a1.prices.example'
  expect(lead(hosts, 'https://prices.example')).toBe('https://a1.prices.example/dashboard/sign-up')
  expect(lead(hosts, 'https://a1.prices.example')).toBeNull()
  expect(lead(hosts.replace('+', ''), 'https://prices.example')).toBeNull()
})

test('each server of each cell is in the text for a proxy, and marks keep their case', async () => {
  const cells = [
    { mark: 'a1', addresses: ['10.0.0.7:8080', 'cell-a1:8081/9190'] },
    { mark: 'A1', addresses: ['[2001:db8::7]:8080'] },
  ]
  expect(findProblems(cells)).toEqual([])
  const nginx = routesText('nginx', cells)
  expect(nginx).toContain('"~^a1$" ratecard_cell_a1;')
  expect(nginx).toContain('"~^A1$" ratecard_cell_a_1;')
  expect(nginx).toContain('server cell-a1:8081 max_fails=1')
  const haproxy = routesText('haproxy', cells)
  expect(haproxy).toContain('server ratecard-a1-2 cell-a1:8081 check port 9190')
  expect(haproxy).toMatch(
    /backend ratecard_cell_A1\n[^]*server ratecard-A1-1 \[2001:db8::7\]:8080 check port 9090/,
  )
  const printed = await runHere([
    'cells',
    'routes',
    '--format',
    'nginx',
    '--cell',
    'a1=10.0.0.7:8080,cell-a1:8081/9190',
    '--cell',
    'A1=[2001:db8::7]:8080',
  ])
  expect(printed).toEqual({ exitCode: 0, stdout: nginx, stderr: '' })
})

test.each([
  ['no cell', [], /There is no cell/],
  ['a mark twice', ['--cell', 'a1=h:1', '--cell', 'a1=h:2'], /"a1" is there twice/],
  ['a mark of one character', ['--cell', 'a=h:1'], /"a" is no mark/],
  ['no port', ['--cell', 'a1=host'], /"host" is no address/],
  ['a port there is not', ['--cell', 'a1=host:70000'], /no address/],
  ['text that would end the line', ['--cell', 'a1=host:80;evil'], /no address/],
  ['no address', ['--cell', 'a1'], /Give a mark and addresses/],
])('routes with %s are refused', async (_what, args, message) => {
  const { exitCode, stdout, stderr } = await runHere(['cells', 'routes', '--format', 'haproxy', ...args])
  expect([exitCode, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(message)
})

test('a cell says that it is behind from a minute on, and when its hub has a newer schema', () => {
  const age = { seconds: 3, hub_migration: '0007_metering', migration: '0007_metering' }
  expect(whyBehind(null)).toBeNull()
  expect(whyBehind(age)).toBeNull()
  // Cells are migrated before their hub.
  expect(whyBehind({ ...age, migration: '0008_next' })).toBeNull()
  expect(whyBehind({ ...age, hub_migration: '0008_next' })).toMatch(/hub has the migration 0008_next/)
  expect(whyBehind({ ...age, seconds: 93.4 })).toMatch(/93 s behind/)
  expect(whyBehind({ ...age, seconds: null, hub_migration: null })).toMatch(/nothing has come/)
})
