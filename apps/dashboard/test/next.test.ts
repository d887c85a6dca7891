import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Router, useLocation } from 'wouter'
import { nextPath, signInPath, withNext } from '../src/pages/auth/next.ts'

// A link to the sign-in page may come from a stranger. A user who follows it and signs in stays at our own origin.

const origin = 'https://ratecard.example'

/** Runs the functions at an address of ours, which is parsed as browsers do it. */
function open(address: string): URL {
  const location = new URL(address, origin)
  vi.stubGlobal('window', { location })
  return location
}
afterEach(() => vi.unstubAllGlobals())

/** The target that the router of the pages gives the browser, as the browser parses it. */
function goOn(from: URL): URL {
  const told: string[] = []
  const hook = (): [string, (to: string) => void] => [from.pathname, (to) => told.push(to)]
  let navigate: (to: string) => void = () => undefined
  const Page = () => {
    navigate = useLocation()[1]
    return null
  }
  renderToString(createElement(Router, { base: '/dashboard', hook, children: createElement(Page) }))
  navigate(nextPath())
  expect(told).toHaveLength(1)
  return new URL(told[0] ?? '', from)
}

const escapes = [
  '//evil.example',
  '///evil.example/a',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  'https://evil.example/a',
  'https:evil.example',
  'HTTPS:\\\\evil.example',
  'javascript:alert(1)',
  'data:text/html,a',
  'blob:https://evil.example/a',
  'evil.example',
  '@evil.example',
  '.evil.example',
  ':443@evil.example',
  // For the router a path after it is not below the pages.
  '~//evil.example',
  '~https://evil.example',
  '/~//evil.example',
  // Browsers remove these from addresses.
  '\t//evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\r\n//evil.example',
  ' //evil.example',
  '\0//evil.example',
  '/..//evil.example',
  '/../../\\evil.example',
  '/%2e%2e//evil.example',
  '/.//evil.example',
  '',
]
const encode = encodeURIComponent

describe('who signs in stays at our origin, whatever `next` says:', () => {
  test.each(escapes)('%j', (next) => {
    const spellings = [
      next.replaceAll('#', ''),
      encode(next),
      encode(encode(next)),
      encode(encode(encode(next))),
    ]
    for (const spelling of spellings) {
      for (const more of ['', '#//evil.example', `&next=${encode('https://evil.example')}`]) {
        const { href, origin: to } = goOn(open(`/dashboard/sign-in?next=${spelling}${more}`))
        expect(to, href).toBe(origin)
      }
    }
  })

  test('what does not begin as a path of ours leads to the first page', () => {
    for (const next of escapes.filter((each) => !each.startsWith('/'))) {
      expect(goOn(open(`/dashboard/sign-in?next=${encode(next)}`)).href).toBe(`${origin}/dashboard/`)
    }
    expect(goOn(open('/dashboard/sign-in')).href).toBe(`${origin}/dashboard/`)
  })
})

test('who asked for a page of ours gets there, by way of the page for signing up too', () => {
  for (const path of [
    '/keys',
    '/changes/chg_1',
    '/prices?vendor=acme&q=a%26b',
    '/accept-invitation#token=a.b',
  ]) {
    open(`/dashboard${path}`)
    for (const page of [signInPath(), signInPath().replace('/sign-in', '/sign-up')]) {
      open(`/dashboard${page}`)
      const signIn = open(`/dashboard${withNext('/sign-in')}`)
      expect(signIn.pathname).toBe('/dashboard/sign-in')
      expect(goOn(signIn).href).toBe(`${origin}/dashboard${path}`)
    }
  }
})
