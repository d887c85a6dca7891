import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { outlives, prints, type Play } from './play.ts'

/** Reaches the server through a proxy, and by no other way. */
const throughProxy: Play = {
  run: async (stage) => {
    let tunnels = 0
    const proxy = createServer((_request, response) => response.writeHead(501).end())
    proxy.on('connect', (request, socket, head) => {
      tunnels += 1
      const [host, port] = (request.url ?? '').split(':')
      const target = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
        target.write(head)
        target.pipe(socket).pipe(target)
      })
      target.on('error', () => socket.destroy())
      socket.on('error', () => target.destroy())
    })
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
    try {
      await prints().run({ ...stage, env: { ...stage.env, HTTPS_PROXY: address } })
      if (tunnels === 0) throw new Error('It did not go through the proxy.')
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
