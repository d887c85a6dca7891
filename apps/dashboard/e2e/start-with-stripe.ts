import { createLogger } from '../../server/src/platform/logger.ts'
import { openLogStream } from '../../server/src/platform/log-stream.ts'
import { readConfig } from '../../server/src/platform/config.ts'
import { firstStart, type DemoAccount } from '../../server/src/process/first-start.ts'
import { serve } from '../../server/src/process/serve.ts'

// What `ratecard start --json` does, with Stripe at the address that is given: no setting leads payments elsewhere.

const stderrFd = 2
const config = readConfig(undefined, { LOG_LEVEL: 'warn' })
let demo: DemoAccount | null = null
await serve({
  config,
  logger: createLogger(config.LOG_LEVEL, openLogStream(stderrFd)),
  migrate: true,
  worker: true,
  stripeUrl: process.argv[2],
  prepare: async (databaseServer, secrets) => {
    demo = await firstStart(databaseServer, secrets, (text) => process.stderr.write(`${text}\n`))
  },
  onListening: ({ url }) => process.stdout.write(`${JSON.stringify({ url, demo }, null, 2)}\n`),
})
