import { spawn } from 'node:child_process'
import { once } from 'node:events'

// Before "pnpm start": builds the dashboard where it has changed. The terminal is for what the server says: of the build
// it shows that it goes on, when it takes long, and all of it when it fails.

const quietMs = 1_000

const build = spawn('turbo', ['run', 'build', '--filter=@ratecard/dashboard', '--no-update-notifier'], {
  env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  stdio: ['ignore', 'pipe', 'pipe'],
  shell: process.platform === 'win32',
})
const output: Buffer[] = []
for (const stream of [build.stdout, build.stderr]) stream.on('data', (data: Buffer) => output.push(data))
const telling = setTimeout(() => console.error('Building the dashboard …'), quietMs)
const [exitCode] = (await once(build, 'close')) as [number | null]
clearTimeout(telling)
if (exitCode !== 0) {
  console.error(Buffer.concat(output).toString())
  process.exitCode = 1
}
