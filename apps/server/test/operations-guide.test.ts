import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { variables } from '../src/platform/config.ts'

it('has in its table the variables that the server reads, with their defaults and meaning', async () => {
  const guide = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  const rows = [...guide.matchAll(/^\| `([A-Z_]+)` *\| *(?:`([^`]*)`)? *\| (.*?) *\|$/gm)]
  const documented = rows.map(([, name, fallback, description]) => ({
    name,
    fallback: fallback ?? '',
    description,
  }))
  const read = Object.entries<{ default?: string; description: string }>(variables).map(
    ([name, variable]) => ({
      name,
      fallback: variable.default ?? '',
      description: variable.description,
    }),
  )
  expect(documented).toEqual(read)
})
