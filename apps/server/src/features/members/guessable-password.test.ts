import { expect, test } from 'vitest'
import { isGuessable } from './guessable-password.ts'

const known = ['ada.lovelace@customer.example']

test.each([
  ['aaaaaaaaaaaa', true],
  ['123456789012', true],
  ['password1234', true],
  ['qwertyuiop12', true],
  ['abcabcabcabc', true],
  ['P@ssw0rd1234', true],
  ['ada.lovelace', true],
  ['ratecardratecard', true],
  ['a1'.repeat(64), true],
  ['correct horse battery', false],
  ['kd83-JJ2m-q0aP', false],
  ['Überraschung im Mai', false],
])('%s: %s', async (password, guessable) => {
  expect(await isGuessable(password, known)).toBe(guessable)
})
