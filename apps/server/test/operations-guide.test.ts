import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { variables } from '../src/platform/config.ts'

it('lists the variables that the server reads, with their defaults and meaning', async () => {
  const guide = await readFile(new URL('../../../docs/operations.md', import.meta.url), 'utf8')
  // `- `NAME` — meaning Default: `value`.`, over as many lines as it takes.
  const items = [...guide.matchAll(/^- `([A-Z_]+)` — (.*(?:\n {2}.*)*)$/gm)]
  const documented = items.map(([, name = '', text = '']) => {
    const [, description, fallback = ''] =
      /^(.*?)(?: Default: `([^`]*)`\.)?$/.exec(text.replaceAll('\n ', '')) ?? []
    return { name, fallback, description }
  })
  const read = Object.entries<{ default?: string; description: string }>(variables).map(
    ([name, variable]) => ({
      name,
      fallback: variable.default ?? '',
      description: variable.description,
    }),
  )
  const byName = (all: { name: string }[]) => all.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  expect(byName(documented)).toEqual(byName(read))
})
