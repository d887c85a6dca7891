import { expect, test } from 'vitest'
import { CommitMemory } from './commit-memory.ts'

// On real databases: test/lost-commits.long.test.ts. Here what a cluster does that is about to fail over.

const timeline = (number: number) => ({ system: 'a', number })

function remember() {
  const losses: string[] = []
  const memory = new CommitMemory('b', ({ what, batches }) => losses.push(`${batches}: ${what}`))
  memory.look(null, timeline(1))
  memory.confirm(1)
  return { memory, losses }
}
const forgot = (confirmed: number, found: number | 'none', batches: number) =>
  `${batches}: batch ${confirmed} of the batcher b was confirmed, and the database had ${found}`
const wentBack = '0: timeline 2 was in use, and 1 is again'

test('a new primary that has every batch, and one that has a batch more, are as they should be', () => {
  const { memory, losses } = remember()
  memory.look(1, timeline(2))
  memory.confirm(2)
  // Its answer was lost.
  memory.look(3, timeline(2))
  memory.confirm(4)
  // A copy by other means than replication, which begins to count anew.
  memory.look(4, { system: 'other', number: 1 })
  memory.confirm(5)
  expect(losses).toEqual([])
})

test('an old primary that confirms nothing any more lacks commits, and they are not lost', () => {
  const { memory, losses } = remember()
  memory.look(1, timeline(2))
  memory.confirm(2)
  memory.look(1, timeline(1))
  memory.look(2, timeline(2))
  memory.confirm(3)
  expect(losses).toEqual([])
})

test('what is missing is said once a commit is confirmed there, though a batch without an answer covers it by then', () => {
  const { memory, losses } = remember()
  memory.look(1, timeline(2))
  memory.confirm(8)
  memory.look(1, timeline(1))
  expect(losses).toEqual([])
  memory.look(9, timeline(1))
  memory.confirm(9)
  expect(losses).toEqual([forgot(8, 1, 7), wentBack])
  memory.confirm(10)
  memory.look(10, timeline(1))
  memory.confirm(11)
  expect(losses).toHaveLength(2)
})

test('where no timeline is told, as behind a pooler, the batches tell', () => {
  const { memory, losses } = remember()
  memory.look(1, undefined)
  memory.confirm(2)
  memory.look(null, undefined)
  memory.confirm(3)
  expect(losses).toEqual([forgot(2, 'none', 2)])
})
