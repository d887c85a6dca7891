#!/usr/bin/env node
// The command's door. The program is TypeScript that Node runs as it is, from version 22.18 on; an older Node
// hands over to the one that is installed as a dependency.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import process from 'node:process'

if (process.features.typescript) {
  const { main } = await import('../src/bin/ratecard.ts')
  await main()
} else {
  const program = new URL('../src/bin/run.ts', import.meta.url).pathname
  // In a group of its own: a Ctrl-C in the terminal reaches the child once, through us. A second one would end
  // it at once, in the middle of its work.
  const detached = process.platform !== 'win32'
  const child = spawn(pinnedNode(), [program, ...process.argv.slice(2)], { stdio: 'inherit', detached })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}

function pinnedNode() {
  try {
    return createRequire(import.meta.url).resolve('node/bin/node')
  } catch {
    console.error(`ratecard needs Node 22.18 or newer; this is ${process.version}.`)
    process.exit(1)
  }
}
