#!/usr/bin/env node
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { run } from './cli/run.ts'

// A reader that has seen enough, such as head, is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit()
})

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string
}
const output = {
  out: (text: string) => process.stdout.write(text),
  err: (text: string) => process.stderr.write(text),
}
process.exitCode = await run(process.argv.slice(2), output, version)
