import { readFile, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import { once } from 'node:events'
import { join } from 'node:path'
import { listen, start } from '../../packages/programs.ts'
import { freePort, outlives, prints, runLine, untilListening, type Play } from '../play.ts'

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

/** Prints what the README shows, but for the secret, the time and the alerts, until it is ended. */
const listensAsShown: Play = {
  run: async ({ room, env, commands: [command = ''], output = [] }) => {
    const { RATECARD_WEBHOOK_SECRET: _, ...withoutSecret } = env
    const { child, printed, closed } = start('sh', ['-c', `exec ${command}`], {
      cwd: room,
      env: { ...withoutSecret, PATH: `${room}/node_modules/.bin:${process.env.PATH}` },
      // What it starts ends with it.
      detached: true,
    })
    const shown = output.filter((line) => line !== '' && !/^[\d:]{8} /.test(line)).map(withoutValues)
    const said = () => withoutValues(printed.output)
    while (child.exitCode === null && !said().includes(shown.at(-1) ?? ''))
      await Promise.race([once(child.stdout, 'data'), closed])
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
    await closed
    const missing = shown.filter((line) => !said().includes(line))
    if (missing.length > 0)
      throw new Error(`It does not print "${missing.join('", "')}" but:\n${said()}${printed.errors}`)
  },
}

function withoutValues(text: string): string {
  return text.replaceAll(/local_[\w-]+/g, 'local_').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
}

/** The receiver of our own package does with each alert what it must. */
const sendsToReceiver: Play = {
  also: ['@ratecard/webhooks'],
  run: async (stage) => {
    const port = await freePort()
    const receiver = start(process.execPath, ['receive.mjs'], {
      cwd: stage.room,
      env: { ...stage.env, PORT: port },
    })
    try {
      await untilListening(port)
      for (const command of stage.commands) await runLine(stage, command.replaceAll('3000', port))
    } finally {
      receiver.child.kill()
      await receiver.closed
    }
    // One that remembers no ids takes the same delivery twice.
    if (!/^(1 changes\n){2}100 changes\n$/.test(receiver.printed.output))
      throw new Error(`The receiver took:\n${receiver.printed.output}`)
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
  '@ratecard/sdk listen': listensAsShown,
  '@ratecard/sdk trigger': sendsToReceiver,
  'catalog.mjs': prints(/^true openai:gpt-4o-mini 0\.\d+ USD \d+\n/),
  'fake.mjs': prints(/anthropic:[\s\S]*listPrices/),
  'service.test.mjs': inVitestAndJest,
  'alerts.test.mjs': prints(/pass 1\b/),
  'watch.mjs': tellsItself,
  'trace.mjs': prints(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01 getUsage \d/m),
  'proxy.mjs': throughProxy,
  'list-prices.ts': prints(/anthropic:/),
}
