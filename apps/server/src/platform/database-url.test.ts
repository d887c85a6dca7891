import { expect, test } from 'vitest'
import { readDatabaseUrl } from './database-url.ts'

test.each([
  ['postgres://u:p@a:6432/x', [{ host: 'a', port: 6_432 }], false],
  ['postgresql://a/x?sslmode=require', [{ host: 'a', port: 5_432 }], false],
  ['postgres:///x?host=/run/postgresql', [{ host: '', port: 5_432 }], false],
  ['postgres://u:p@a/x?target_session_attrs=read-write', [{ host: 'a', port: 5_432 }], true],
  [
    'postgres://u:p@a:1,b,[::1]:3/x?target_session_attrs=primary',
    [
      { host: 'a', port: 1 },
      { host: 'b', port: 5_432 },
      { host: '::1', port: 3 },
    ],
    true,
  ],
  [
    'postgres://u:p%40,q@a,b:2/x',
    [
      { host: 'a', port: 5_432 },
      { host: 'b', port: 2 },
    ],
    true,
  ],
])('%s', (text, hosts, wantsWriter) => {
  expect(readDatabaseUrl(text)).toMatchObject({ hosts, wantsWriter })
})

test('with the first host alone it is a URL', () => {
  expect(readDatabaseUrl('postgres://u:p%40,q@a:1,b:2/x?sslmode=require')?.url).toBe(
    'postgres://u:p%40,q@a:1/x?sslmode=require',
  )
})

test.each([
  '',
  'a:5432',
  'mysql://a/x',
  'postgres://a,/x',
  'postgres://,a/x',
  'postgres://a/x?target_session_attrs=any',
])('is none: %s', (text) => expect(readDatabaseUrl(text)).toBeNull())
