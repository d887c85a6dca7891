import { expect, test } from 'vitest'
import { oncePerPress } from '../src/api/one-submission.ts'

function scene(answer: () => Promise<Response> | Response = () => new Response('made')) {
  const sent: string[] = []
  let nowMs = 0
  const fetch = oncePerPress(
    async (request) => {
      sent.push(`${request.method} ${await request.clone().text()}`)
      return answer()
    },
    () => nowMs,
  )
  const press = (body: string, method = 'POST') =>
    fetch(new Request('https://ratecard.example/keys', { method, ...(method !== 'GET' && { body }) }))
  return { sent, press, pass: (ms: number) => (nowMs += ms) }
}

test('two presses at once are one action, and both see its answer', async () => {
  const { sent, press } = scene()
  const answers = await Promise.all([press('a'), press('a')])
  expect(await Promise.all(answers.map((answer) => answer.text()))).toEqual(['made', 'made'])
  expect(sent).toEqual(['POST a'])
})

test('a second press right after the answer is the same action; later it is another one', async () => {
  const { sent, press, pass } = scene()
  await press('a')
  pass(200)
  await press('a')
  expect(sent).toHaveLength(1)
  pass(700)
  await press('a')
  expect(sent).toHaveLength(2)
})

test('on, off, on are three actions', async () => {
  const { sent, press } = scene()
  for (const body of ['on', 'off', 'on']) await press(body)
  expect(sent).toEqual(['POST on', 'POST off', 'POST on'])
})

test('what was refused or did not arrive may be tried again at once', async () => {
  const answers = [() => new Response(null, { status: 409 }), () => Promise.reject(new Error('away'))]
  const { sent, press } = scene(() => answers.shift()?.() ?? new Response('made'))
  expect((await press('a')).status).toBe(409)
  await expect(press('a')).rejects.toThrow('away')
  expect((await press('a')).status).toBe(200)
  expect(sent).toHaveLength(3)
})

test('reading is never shared', async () => {
  const { sent, press } = scene()
  await Promise.all([press('', 'GET'), press('', 'GET')])
  expect(sent).toHaveLength(2)
})
