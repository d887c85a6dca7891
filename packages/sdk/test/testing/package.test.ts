import { readdirSync, readFileSync } from 'node:fs'
import { expect, expectTypeOf, test } from 'vitest'
import type { ErrorCode, OperationId } from '@ratecard/contract'
import type { FakeOperation } from '../../src/testing.ts'
import type { errorKinds } from '@ratecard/contract/errors'

test('the fake imports nothing from outside the package: neither msw nor anything of Node', () => {
  const folder = new URL('../../src/testing/', import.meta.url)
  const files = readdirSync(folder).map((name) => new URL(name, folder))
  const imported = [...files, new URL('../testing.ts', folder)].flatMap((file) =>
    Array.from(
      readFileSync(file, 'utf8').matchAll(/^(?!\s*\*).*\b(?:from|import)\s*\(?'([^']+)'/gm),
      ([, name]) => name,
    ),
  )
  expect(imported.length).toBeGreaterThan(40)
  // The contract is bundled.
  expect(imported.filter((name) => !/^(\.|@ratecard\/contract(\/|$))/.test(name ?? ''))).toEqual([])
})

test('the names of operations and errors are those of the contract', () => {
  expectTypeOf<FakeOperation>().toEqualTypeOf<OperationId>()
  expectTypeOf<keyof typeof errorKinds>().toEqualTypeOf<ErrorCode>()
})
