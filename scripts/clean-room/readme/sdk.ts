import { once } from 'node:events'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { outlives, prints, type Play } from './play.ts'

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
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    try {
      await prints().run({ ...stage, env: { ...stage.env, HTTPS_PROXY: address } })
      if (requests === 0) throw new Error('It did not go through the proxy.')
    } finally {
      proxy.closeAllConnections()
      proxy.close()
    }
  },
}

/** What each program of the README must do. */
export const plays: Record<string, Play> = {
  'prices.mjs': prints(/requests left today/),
  'options.mjs': prints(/ok/),
  'lists.mjs': prints(),
  'resume.mjs': prints(/openai/),
  'errors.mjs': prints(),
  'retries.mjs': prints(/^\d+$/m),
  'quota.mjs': prints(/remaining/),
  'poll.mjs': outlives(),
  'fake.mjs': prints(),
  'logging.mjs': prints(/request[\s\S]*response/),
  'proxy.mjs': throughProxy,
}
