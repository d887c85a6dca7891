import { expect, test } from 'vitest'
import { isOld, toLink, moveWord, movedFields, outcomeText } from '../src/pages/review/words.ts'

const none = {
  input_per_mtok: null,
  output_per_mtok: null,
  cached_input_per_mtok: null,
  image_per_unit: null,
  audio_per_min: null,
  video_per_sec: null,
}

test.each([
  ['1', '1.25', '+25\u00a0%'],
  ['2', '1', '−50\u00a0%'],
  ['0.15', '150', '× 1,000'],
  ['150', '0.15', '÷ 1,000'],
  ['3', '1', '÷ 3'],
  [null, '1', 'new'],
  ['1', null, 'not stated'],
  ['0', '1', 'was free'],
  ['1', '0', 'free'],
  ['1', '1', 'same'],
])('from %s to %s is %s', (before, after, expected) => {
  expect(moveWord(before, after)).toBe(expected)
})

test('only what a browser opens as a page is a link', () => {
  expect(toLink('https://acme.example/pricing')).toBe('https://acme.example/pricing')
  expect(toLink('http://acme.example')).toBe('http://acme.example')
  for (const address of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'acme', '', null])
    expect(toLink(address), String(address)).toBeNull()
})

test('beyond three days a move is old', () => {
  const hourMs = 3_600_000
  expect([isOld(72 * hourMs), isOld(72 * hourMs + 1)]).toEqual([false, true])
})

test('the amounts that would move are those that differ', () => {
  const before = { ...none, input_per_mtok: '1', output_per_mtok: '4' }
  expect(movedFields({ before, after: { ...before, input_per_mtok: '20' } })).toEqual(['input_per_mtok'])
})

test('a decision is told with what it did', () => {
  expect(outcomeText('accepted', { decided: 2, changes: ['chg_1'], deliveries: 12 })).toBe(
    '2 accepted. 1 change is published, 12 alerts queued.',
  )
  expect(outcomeText('rejected', { decided: 1, changes: [], deliveries: 0 })).toBe('1 rejected.')
})
