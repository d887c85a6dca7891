#!/usr/bin/env node
// The command's door. The program is TypeScript that Node runs as it is. Which Node is right says `engines` of
// package.json; any other hands over to the one that is installed as a dependency.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const words = process.argv.slice(2)
// What runs for long and answers many: Node would let its heap grow to several times what is in use, as it is meant
// for machines of its own, and glibc would keep what was freed, in a pool for each thread, with holes of the size of a
// page that nothing else fits into. With these a server under full load that reads new pages all the time keeps below
// 350 MB. They are no limits. With 8 and 40 it is 30 MB less, and large pages bring on twice as many full collections.
// And V8 would conclude from requests that happen to be in flight during a collection that objects of their kind live
// long, and make all that follow where only a full collection frees them. One process in two did so within seconds of
// load, and from then on took 1.4 times the time for each request.
// Settings of the operator's own win.
const isServer = ['serve', 'start', 'worker'].includes(words[0] ?? '')
const isTuned = isServer && !hasMemorySettings()
const memoryFlags = isTuned
  ? ['--max-semi-space-size=16', '--heap-growing-percent=60', '--no-allocation-site-pretenuring']
  : []
// A proxy would dial in place of the server, so the guard on addresses would vet the proxy's alone; and the server asks
// itself at its start. Node is told of proxies by variables (NODE_USE_ENV_PROXY), which an image may bring along.
const noProxies = '--no-use-env-proxy'
const flags = isServer ? [...memoryFlags, noProxies] : memoryFlags
const env = isTuned ? { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '32768', ...process.env } : process.env

if (!isRightNode()) runPinnedNode()
// These flags count from the start of a process only. `execve` starts the program anew as the same process; it is not
// on every system, and a process forked from Node would lose its channel.
else if (
  isServer &&
  !process.execArgv.includes(noProxies) &&
  typeof process.execve === 'function' &&
  !process.send
) {
  const program = fileURLToPath(import.meta.url)
  process.execve(
    process.execPath,
    [process.execPath, ...memoryFlags, ...process.execArgv, noProxies, program, ...words],
    env,
  )
} else {
  const { main } = await import('../src/bin/ratecard.ts')
  await main()
}

function runPinnedNode() {
  const program = fileURLToPath(new URL('../src/bin/run.ts', import.meta.url))
  // In a group of its own: a Ctrl-C in the terminal reaches the child once, through us. A second one would end
  // it at once, in the middle of its work.
  const detached = process.platform !== 'win32'
  const child = spawn(pinnedNode(), [...flags, program, ...words], { env, stdio: 'inherit', detached })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

function hasMemorySettings() {
  const settings = [process.env.NODE_OPTIONS ?? '', ...process.execArgv].join(' ')
  return /space[-_]size|heap[-_]growing/.test(settings)
}

function pinnedNode() {
  try {
    return createRequire(import.meta.url).resolve('node/bin/node')
  } catch {
    const first = firstRightNode()
    console.error(
      `ratecard needs Node ${first.join('.')} or a newer ${first[0]}, not ${process.version}, and the one that it brings is not installed: run "pnpm install" without --ignore-scripts, or start it with such a Node.`,
    )
    process.exit(1)
  }
}

function isRightNode() {
  const [major, minor, patch] = process.versions.node.split('.').map(Number)
  const [rightMajor, firstMinor, firstPatch] = firstRightNode()
  return major === rightMajor && (minor > firstMinor || (minor === firstMinor && patch >= firstPatch))
}

/**
 * The range in `engines` is `^` and the first version of one major. It begins with 24.16.0: before, Node forgets answers
 * that wait behind others on a connection which breaks, and requests in flight are never over.
 */
function firstRightNode() {
  const { engines } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  return engines.node.slice(1).split('.').map(Number)
}
