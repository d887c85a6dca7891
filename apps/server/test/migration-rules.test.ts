import { describe, expect, test } from 'vitest'
import { hashText, parseKind, readMigrations } from '../src/database/migrations.ts'
import { offencesOf } from './support/migration-rules.ts'
import { released } from './support/release-tree.ts'

// The rule of docs/upgrading.md: expand, migrate, contract.

const migrations = await readMigrations()

test('a migration that operators have never changes, and none goes before it', () => {
  const names = Object.keys(released.migrations).sort()
  expect(migrations.slice(0, names.length).map(({ name }) => name)).toEqual(names)
  for (const { name, text } of migrations.slice(0, names.length))
    expect([name, hashText(text)]).toEqual([name, released.migrations[name]])
})

test('a migration that is newer than the last release leaves that release running', () => {
  const newer = migrations.filter(({ name }) => !(name in released.migrations))
  expect(newer.flatMap(offencesOf)).toEqual([])
})

test('numbers rise, and no name says that it is of two kinds', () => {
  const names = migrations.map(({ name }) => name)
  expect(names.filter((name) => !/^\d{4}_[\w-]+(?:\.batches|\.concurrently)?$/.test(name))).toEqual([])
  expect(new Set(names.map((name) => name.slice(0, 4))).size).toBe(names.length)
})

describe('the rule', () => {
  const check = (text: string, name = '9001_x') => offencesOf({ name, kind: parseKind(name), text })

  test.each([
    ['alter table prices add column note text;'],
    ["alter table prices add column note text not null default '';"],
    ['alter table prices add constraint good check (note is not null) not valid;'],
    ['alter table prices validate constraint good;'],
    ['alter table prices alter column note drop not null;'],
    ['-- contract: unused since 1.2.0\nalter table prices drop column note; drop function f();'],
    ['create table notes (id text primary key, n int not null); create index notes_n on notes (n);'],
    ['create function f() returns trigger language plpgsql as $$ begin delete from prices; end $$;'],
    ["-- drop table prices;\ncomment on table prices is 'rename; drop column';"],
  ])('lets pass: %s', (text) => expect(check(text)).toEqual([]))

  test.each([
    ['drop table prices;'],
    ['alter table prices drop column note;'],
    ['alter table prices drop note;'],
    ['alter table prices rename to costs;'],
    ['alter table prices rename column note to remark;'],
    ['alter table prices alter column note type integer using note::int;'],
    ['alter table prices alter column note set not null;'],
    ['alter table prices add column note text not null;'],
    ['alter table prices add column note text, add column other int not null;'],
    ['alter table prices add column id uuid default gen_random_uuid();'],
    ['alter table prices add column twice int generated always as (n * 2) stored;'],
    ['alter table prices add constraint good check (note is not null);'],
    ['alter table prices add unique (note);'],
    ['create index prices_note on prices (note);'],
    ['UPDATE prices SET note = 1;'],
    ['delete from prices;'],
  ])('refuses: %s', (text) => expect(check(text)).not.toEqual([]))

  test('has a form for batches and for indexes', () => {
    const batch =
      "update prices set note = '' where id in (select id from prices where note is null order by id limit 500 for update)"
    expect(check(batch, '9001_x.batches')).toEqual([])
    expect(check('update prices set note = 1', '9001_x.batches')).toHaveLength(1)
    const index = 'create index concurrently if not exists prices_note on prices (note);'
    expect(check(index, '9001_x.concurrently')).toEqual([])
    expect(check(index.replace('concurrently ', ''), '9001_x.concurrently')).toHaveLength(1)
    expect(check(`${index} ${index}`, '9001_x.concurrently')).toHaveLength(1)
  })
})
