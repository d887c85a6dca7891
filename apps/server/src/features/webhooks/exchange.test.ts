import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AnswerKeeper, inert, keptBytesMax } from './exchange.ts'

const answerOf = (chunks: (string | Uint8Array)[], headers = {}) => {
  const keeper = new AnswerKeeper(headers)
  for (const chunk of chunks) keeper.take(Buffer.from(chunk as string))
  return keeper.end(true)
}

describe('what is kept of an answer', () => {
  test('is its beginning, and says when there was more', () => {
    expect(answerOf(['hello ', 'world'])).toEqual({ headers: {}, body: 'hello world', isCut: false })
    const long = answerOf(['a'.repeat(1_000), 'b'.repeat(1_000), 'c'.repeat(100_000)])
    expect(long).toEqual({ headers: {}, body: 'a'.repeat(1_000) + 'b'.repeat(24), isCut: true })
    expect(answerOf(['x'.repeat(keptBytesMax)]).isCut).toBe(false)
    expect(new AnswerKeeper({}).end(false)).toEqual({ headers: {}, body: '', isCut: true })
  })

  test('has no half a character at its end', () => {
    expect(answerOf([`${'x'.repeat(keptBytesMax - 1)}é`]).body).toBe('x'.repeat(keptBytesMax - 1))
  })

  test('is text that does nothing, whatever bytes come', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 600 })), (chunks) => {
        const { body } = answerOf(chunks)
        expect(body.length).toBeLessThanOrEqual(keptBytesMax)
        expect(body).not.toMatch(/[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/)
        expect(body.isWellFormed()).toBe(true)
      }),
    )
    expect(inert('a\u001b[31mred\u0007\r\nb\tc\u202edcba')).toBe('a[31mred\nb\tcdcba')
  })

  test('of the headers are the useful ones, each short, and no cookie', () => {
    const { headers } = answerOf([], {
      'content-type': 'text/html',
      'set-cookie': ['session=secret'],
      authorization: 'Bearer x',
      server: `nginx\u0085${'x'.repeat(5_000)}`,
      'x-anything': 'y',
    })
    expect(Object.keys(headers)).toEqual(['content-type', 'server'])
    expect(headers.server).toHaveLength(200)
    expect(headers.server).toMatch(/^nginxx+$/)
  })
})
