import { expect, test } from 'vitest'
import { loadContract } from '../../platform/contract.ts'
import { createListCheck } from './list-check.ts'

const contract = await loadContract()

test('a row that was right is not looked at again, and one that changes is', () => {
  const looked: number[] = []
  const check = createListCheck(contract, (_id, _status, body) => {
    const { data } = body as { data: { product_id: unknown }[] }
    looked.push(data.length)
    return data.every((row) => typeof row.product_id === 'string') ? null : 'it is no string'
  })
  const page = (...ids: unknown[]) => ({
    ...{ version: '1', next: null },
    rows: ids.map((id) => JSON.stringify({ resource_id: 'a', updated_at: 'b', product_id: id })),
  })
  const bodyOf = (rows: string[]) => `{"schema_version":1,"data":[${rows.join(',')}]}`

  for (const ids of [['one', 'two'], ['two', 'one'], ['one', 'three'], []]) {
    const list = page(...ids)
    expect(check('listPrices', list)).toEqual({ body: bodyOf(list.rows), badRows: [] })
  }
  expect(looked).toEqual([2, 0, 1, 0])
  // What is right of one list says nothing of the other.
  check('listChanges', page('one'))
  expect(looked.at(-1)).toBe(1)
  // A page with a wrong row is looked at as a whole, each time.
  for (let time = 0; time < 2; time += 1) {
    expect(check('listPrices', page('one', 2)).badRows).not.toEqual([])
  }
})
