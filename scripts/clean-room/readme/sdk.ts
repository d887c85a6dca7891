import { readFile, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { join } from 'node:path'
import { listen } from '../../packages/programs.ts'
import { outlives, prints, runLine, type Play } from '../play.ts'

/** Reaches the server through a proxy, and by no other way. */
const throughProxy: Play = {
  run: async (stage) => {
    let requests = 0
    const proxy = createServer((incoming, response) => {
      requests += 1
      const { method, headers, url = '' } = incoming
      const forwarded = request(url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      forwarded.on('error', () => response.destroy())
      incoming.pipe(forwarded)
    })
    using listening = await listen(proxy)
    await prints().run({ ...stage, env: { ...stage.env, HTTPS_PROXY: listening.origin } })
    if (requests === 0) throw new Error('It did not go through the proxy.')
  },
}

/** Says the same in hooks and in its log, which is on stderr. */
const tellsItself: Play = {
  run: async (stage) => {
    const commands = stage.commands.map((command) => `${command} 2>&1`)
    await prints(/ratecard end \{.*"operation":"listPrices","method":"GET"/).run({ ...stage, commands })
    await prints(/listPrices success \d/).run({ ...stage, commands })
  },
}

/** The tests of the README in Vitest, and the same in Jest, as the README says that they are to be rewritten. */
const inVitestAndJest: Play = {
  also: ['jest'],
  run: async (stage) => {
    for (const command of stage.commands) await runLine(stage, command)
    const text = await readFile(join(stage.room, stage.file), 'utf8')
    const rewritten = text
      .replace(/^import .* from 'vitest'\n/m, '')
      .replaceAll(/^import (\{.*\}) from ('.*')$/gm, 'const $1 = require($2)')
      .replaceAll('vi.', 'jest.')
    await writeFile(join(stage.room, 'service.test.cjs'), rewritten)
    const said = await runLine(stage, 'jest service.test.cjs 2>&1')
    if (!/2 passed, 2 total/.test(said)) throw new Error(`Jest prints:\n${said}`)
  },
}

/** What each program of the README must do. */
export const plays: Record<string, Play> = {
  'prices.mjs': prints(/openai:[\s\S]*requests left today/),
  'lists.mjs': prints(/openai:/),
  'diff.mjs': prints(/#input_per_mtok[\s\S]*\d → \d[\s\S]*\d price cuts/),
  'errors.mjs': prints(/^wh_/m),
  'options.mjs': prints(/^[a-z]+$/m),
  'quota.mjs': prints(/remaining/),
  'poll.mjs': outlives,
  'fake.mjs': prints(/anthropic:[\s\S]*listPrices/),
  'service.test.mjs': inVitestAndJest,
  'alerts.test.mjs': prints(/pass 1\b/),
  'watch.mjs': tellsItself,
  'trace.mjs': prints(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01 getUsage \d/m),
  'proxy.mjs': throughProxy,
  'list-prices.ts': prints(/anthropic:/),
}
