import { expect, test } from 'vitest'
import { parseCommand, UsageError, type ListenCommand } from '../src/cli/arguments.ts'
import { help } from '../src/cli/help.ts'
import { changesOf, sampleNames } from '../src/cli/samples.ts'
import { alertBytesMax, splitIntoAlerts } from '@ratecard/contract/alert'

// The arguments of the program. What it sends is tried at real receivers, with those of @ratecard/webhooks.

const forward = ['--forward-to', 'http://localhost:3000']

test.each([
  [['trigger'], 'Say where your receiver is'],
  [['trigger', 'price_fall', '--to', 'http://localhost'], 'Name one alert of these: price_rise'],
  [['trigger', 'price_cut', 'price_rise', '--to', 'http://localhost'], 'Name one alert'],
  [['trigger', '--to', 'file:///etc/passwd'], 'Say where your receiver is'],
  [['trigger', '--to', 'http://localhost', '--secret', ''], 'The secret is empty'],
  [['trigger', '--to', 'http://localhost', '--old', '--bad-signature'], 'Choose --bad-signature or --old'],
  [['replay', ...forward], 'Say from when on to replay'],
  [['listen', ...forward, '--interval', '0'], '--interval is a whole number from 5'],
  [['listen', ...forward, '--min-severity', '6'], '--min-severity is a whole number from 1 to 5'],
  [['listen', '--forward', 'x'], "Unknown option '--forward'"],
  [['lisen'], 'There is no command "lisen"'],
])('%j is a mistake, and says what to write', (args, sentence) => {
  const parse = () => parseCommand(args, {})
  expect(parse).toThrow(UsageError)
  expect(parse).toThrow(sentence)
})

test('a time may be a span, an instant or a checkpoint', () => {
  const sinceOf = (text: string) =>
    (parseCommand(['listen', ...forward, '--since', text], {}) as ListenCommand).since
  const hoursAgo = (since: Date | string) => Math.round((Date.now() - Number(since)) / 3_600_000)
  expect([sinceOf('90m'), sinceOf('24h'), sinceOf('7d')].map(hoursAgo)).toEqual([2, 24, 168])
  for (const text of ['2026-11-20T00:00:00Z', 'chk_x']) expect(sinceOf(text)).toBe(text)
})

test('a secret is taken from the option, then from the environment, and else made', () => {
  const receiverOf = (args: string[], environment: Record<string, string>) => {
    return (parseCommand(['listen', ...forward, ...args], environment) as ListenCommand).receiver
  }
  const environment = { RATECARD_WEBHOOK_SECRET: 'of the environment' }
  expect(receiverOf(['--secret', 'of the option'], environment)).toMatchObject({ secret: 'of the option', isSecretNew: false }) // prettier-ignore
  expect(receiverOf([], environment)).toMatchObject({ secret: 'of the environment', isSecretNew: false })
  const [one, other] = [receiverOf([], {}), receiverOf([], {})]
  expect(one).toMatchObject({ isSecretNew: true })
  expect(one.secret.length).toBeGreaterThan(20)
  expect(one.secret).not.toBe(other.secret)
})

test.each(sampleNames)('the sample %s fits into one delivery', (name) => {
  const changes = changesOf(name, new Date())
  expect(splitIntoAlerts(changes)).toEqual([changes])
  expect(new Set(changes.map(({ id }) => id)).size).toBe(changes.length)
})

test('the large sample leaves little room', () => {
  const bytes = new TextEncoder().encode(JSON.stringify(changesOf('large', new Date()))).length
  expect(bytes / alertBytesMax).toBeGreaterThan(0.9)
})

test('help names every option of a command', () => {
  const usual = ['--forward-to', '--secret', '--vendor', '--product', '--category', '--min-severity', '--base-url', '--allow-http', '--json', '--since'] // prettier-ignore
  for (const option of [...usual, '--interval']) expect(help('listen')).toContain(option)
  for (const option of usual) expect(help('replay')).toContain(option)
  for (const option of ['--to', '--secret', '--twice', '--slow', '--bad-signature', '--old', '--json']) {
    expect(help('trigger')).toContain(option)
  }
})
