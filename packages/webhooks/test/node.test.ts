import { expect, test, vi } from 'vitest'
import { ratecardWebhook } from '../src/node.ts'
import { alert, delivery, now, secret } from './builds.ts'
import { expectCommonCases, listen, post, signed } from './receivers.ts'

test('answers as every receiver does', async () => {
  let handled = 0
  const url = await listen(ratecardWebhook({ secret, onError: () => {} }, () => void (handled += 1)))
  await expectCommonCases(url, () => handled)
})

test('the handler gets the event and may answer itself, later too', async () => {
  const url = await listen(
    ratecardWebhook({ secret, now }, async (event, request, response) => {
      expect(event).toEqual(alert)
      await Promise.resolve()
      response.writeHead(202).end(request.url)
    }),
  )
  const { body, headers } = delivery()
  expect(await post(url, { body, headers })).toEqual({ status: 202, text: '/webhooks/ratecard' })
})

test("the handler's error is 500, told to onError, and does not end the process", async () => {
  const errors: unknown[] = []
  const url = await listen(
    ratecardWebhook({ secret, onError: (error) => errors.push(error) }, () => {
      throw new Error('mine')
    }),
  )
  expect(await post(url)).toEqual({ status: 500, text: '' })
  expect(errors).toEqual([new Error('mine')])
})

test('without onError the console is told what only the owner can mend', async () => {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => {})
  try {
    const url = await listen(ratecardWebhook({ secret: undefined }, () => {}))
    expect(await post(url)).toMatchObject({ status: 500, error: 'bad_secret' })
    expect(spy).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('bad_secret: The secret is not set'))
    spy.mockClear()
    const good = await listen(ratecardWebhook({ secret }, () => {}))
    expect(await post(good, { body: signed().body + ' ' })).toMatchObject({ status: 401 })
    expect(spy).not.toHaveBeenCalled()
  } finally {
    spy.mockRestore()
  }
})

test('a request whose text was decoded by setEncoding is refused', async () => {
  const receive = ratecardWebhook({ secret, onError: () => {} }, () => {})
  const url = await listen((request, response) => receive(request.setEncoding('utf8'), response))
  expect(await post(url)).toMatchObject({ status: 500, error: 'body_parsed' })
})
