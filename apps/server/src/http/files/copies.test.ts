import { expect, test } from 'vitest'
import { Copies } from './copies.ts'

const bytesMax = { network: 100, all: 250 }
const whole = () => Promise.resolve(true)

/** A copy that is being sent until it is ended. */
function begin(copies: Copies, network: string, bytes: number) {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const done = copies.run(network, bytes, () => promise)
  const end = async (isWhole: boolean) => {
    resolve(isWhole)
    await done
  }
  return { done, end }
}

test('a network takes so many whole copies a minute, and any number that it does not take to the end', async () => {
  const copies = new Copies({ perMinute: 2, bytesMax })
  for (let count = 0; count < 10; count += 1) await copies.run('a', 10, () => Promise.resolve(false))
  await copies.run('a', 10, whole)
  await copies.run('a', 10, whole)
  await expect(copies.run('a', 10, whole)).rejects.toMatchObject({ code: 'service_unavailable' })
  await copies.run('b', 10, whole)
})

test('what is on its way is bounded, for a network and for all, until its client has it or goes away', async () => {
  const copies = new Copies({ perMinute: 100, bytesMax })
  const first = begin(copies, 'a', 90)
  await expect(begin(copies, 'a', 20).done).rejects.toMatchObject({ code: 'service_unavailable' })
  const others = [begin(copies, 'b', 90), begin(copies, 'c', 60)]
  await expect(begin(copies, 'd', 60).done).rejects.toThrow('sent too often')
  await first.end(false)
  const next = begin(copies, 'd', 60)
  for (const copy of [...others, next]) await copy.end(true)
  // One copy is sent however large it is.
  await copies.run('e', 1_000, whole)
})
