import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { packageRoot, projectRoot } from '../../src/platform/paths.ts'
import { ratecard } from '../support/process.ts'

// Before 24.16.0 Node forgets answers that wait behind others on a connection when it breaks (`abortOutgoing` in its
// `_http_server`): their resources are held for ever. So the required Node is stated once, and enforced.

interface Manifest {
  engines?: { node?: string }
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

const readManifest = async (folder: string) =>
  JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest
const manifest = await readManifest(packageRoot)
const needed = manifest.engines?.node ?? ''
const firstVersion = /^\^(\d+)\.(\d+)\.(\d+)$/.exec(needed)?.slice(1).map(Number)
const here = process.versions.node.split('.').map(Number) as [number, number, number]

describe('the Node that is needed', () => {
  test('is stated in the engines of the server, as one range', () => {
    expect(firstVersion).toBeDefined()
    expect(compare(firstVersion ?? [], [24, 16, 0])).toBeGreaterThanOrEqual(0)
  })

  test('gives up answers in a queue when their connection breaks', async () => {
    const pinned = [process.execPath, '--no-deprecation', '-p'] as const
    const script = "process.binding('natives')._http_server.includes('abortOutgoing')"
    const { stdout } = await promisify(execFile)(pinned[0], [...pinned.slice(1), script])
    expect(stdout).toBe('true\n')
  })

  test('is what is pinned, in every place that pins one', async () => {
    const root = await readManifest(projectRoot)
    const bench = await readManifest(join(projectRoot, 'bench'))
    const workspace = parse(await readFile(join(projectRoot, 'pnpm-workspace.yaml'), 'utf8')) as {
      nodeVersion: string
    }
    const dockerfile = await readFile(join(projectRoot, 'Dockerfile'), 'utf8')
    const images = [...dockerfile.matchAll(/^FROM node:(\S+)-slim\b/gm)].map(([, version]) => version)
    const pinned = manifest.dependencies?.node ?? ''
    expect([root.devDependencies?.node, bench.dependencies?.node ?? bench.devDependencies?.node]).toEqual([
      pinned,
      pinned,
    ])
    expect([workspace.nodeVersion, ...images]).toEqual([pinned, pinned, pinned])
    const [major, ...rest] = pinned.split('.').map(Number)
    expect(major).toBe(firstVersion?.[0])
    expect(compare([major ?? 0, ...rest], firstVersion ?? [])).toBeGreaterThanOrEqual(0)
  })
})

describe('the command', () => {
  const [major, minor, patch] = here
  const unfit = {
    'an older patch': `^${major}.${minor}.${patch + 1}`,
    'an older minor': `^${major}.${minor + 1}.0`,
    'an older major': `^${major + 1}.0.0`,
    'a newer major, which nobody has tried': `^${major - 1}.0.0`,
  }

  test.each(Object.entries(unfit))('on %s hands over to the pinned Node', async (_name, range) => {
    const folder = await copyDoor(range, { pinned: true })
    const { stdout, exitCode } = await runDoor(folder, ['accounts', 'list'])
    expect(stdout).toMatch(/^the pinned Node runs .*\/src\/bin\/run\.ts accounts list\n$/)
    expect(exitCode).toBe(0)
  })

  test.each(Object.entries(unfit))(
    'on %s and without the pinned Node says in one sentence what it needs, and ends',
    async (_name, range) => {
      const folder = await copyDoor(range, { pinned: false })
      const { stderr, exitCode } = await runDoor(folder, ['serve'])
      expect(stderr).toBe(
        `ratecard needs Node ${range.slice(1)} or a newer ${range.slice(1).split('.')[0]}, not ${process.version}, and the one that it brings is not installed: run "pnpm install" without --ignore-scripts, or start it with such a Node.\n`,
      )
      expect(exitCode).toBe(1)
    },
  )

  test.each([`^${major}.${minor}.${patch}`, `^${major}.0.0`])(
    'that needs %s runs on this one',
    async (range) => {
      const folder = await copyDoor(range, { pinned: true })
      const { stdout, stderr } = await runDoor(folder, ['accounts', 'list'])
      // It came as far as the program itself, which is not in the copy.
      expect(stdout).toBe('')
      expect(stderr).toContain('src/bin/ratecard.ts')
    },
  )

  test('as it is runs on this one', async () => {
    expect(await ratecard(['--help'], {})).toMatchObject({ exitCode: 0, stderr: '' })
  })
})

function compare(left: readonly number[], right: readonly number[]): number {
  const index = left.findIndex((part, index) => part !== right[index])
  return index < 0 ? 0 : (left[index] ?? 0) - (right[index] ?? 0)
}

/** The command's door alone, where another Node is needed. */
async function copyDoor(range: string, { pinned }: { pinned: boolean }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'ratecard-door-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await cp(join(packageRoot, 'bin'), join(folder, 'bin'), { recursive: true })
  await writeFile(
    join(folder, 'package.json'),
    JSON.stringify({ ...manifest, dependencies: {}, engines: { node: range } }),
  )
  if (!pinned) return folder
  const node = join(folder, 'node_modules/node')
  await mkdir(join(node, 'bin'), { recursive: true })
  await writeFile(join(node, 'package.json'), '{"name":"node"}')
  await writeFile(join(node, 'bin/node'), '#!/bin/sh\necho "the pinned Node runs $*"\n')
  await chmod(join(node, 'bin/node'), 0o755)
  return folder
}

async function runDoor(
  folder: string,
  words: readonly string[],
): Promise<{ stdout: string; stderr: string; exitCode: number }> {
  const env = { PATH: process.env.PATH ?? '', NODE_OPTIONS: '--max-semi-space-size=16' }
  const args = [join(folder, 'bin/ratecard.js'), ...words]
  try {
    return { ...(await promisify(execFile)(process.execPath, args, { env })), exitCode: 0 }
  } catch (error) {
    const { stdout, stderr, code } = error as { stdout: string; stderr: string; code: number }
    return { stdout, stderr, exitCode: code }
  }
}
