import { expect, test } from 'vitest'
import { moveLines } from '../src/pages/changes/words.ts'

const move = (field: string, before: string, after: string) => ({
  ...{ resource_id: 'acme:alpha', currency: 'USD', field, before, after },
})

test('another source link is no line of a change', () => {
  const moves = [
    move('source_url', 'https://acme.example/a', 'https://acme.example/b'),
    move('input_per_mtok', '2', '1'),
  ]
  expect(moveLines({ moves }).map(({ name }) => name)).toEqual(['Input'])
  expect(moveLines({ moves: moves.slice(0, 1) })).toEqual([])
})
