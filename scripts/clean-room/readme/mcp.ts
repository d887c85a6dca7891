import { prints, runLine, type Play } from '../play.ts'

/** The block is a client's configuration: the official client starts the server as it says, and asks every tool. */
const startsAsConfigured: Play = {
  also: ['@modelcontextprotocol/sdk', 'zod'],
  run: async (stage) => {
    await runLine(stage, `mv '${stage.file}' client.json`)
    const commands = ['node ask-mcp.mjs client.json']
    await prints(
      /^search_prices url \d+ \nget_price url {2}\nresolve_model url {2}\ncost_of url 0\.\d+ \nlist_changes {3}1\n$/,
    ).run({ ...stage, commands })
  },
}

/** As it is, without a key; the URL is that of the room's server. */
const answersWithout = (origin: string): Play => ({
  ...startsAsConfigured,
  run: async (stage) => {
    await runLine(stage, `mv '${stage.file}' client.json`)
    const found = `^search_prices ${origin} \\d+ \nget_price ${origin} {2}\nresolve_model ${origin} {2}\ncost_of ${origin} 0\\.\\d+ \n$`
    await prints(new RegExp(found)).run({ ...stage, commands: ['node ask-mcp.mjs client.json'] })
  },
})

/** What each block of the README must do. */
export const plays: Record<string, Play> = {
  'Paste this': answersWithout('shipped'),
  'Or add this URL': answersWithout('url'),
  'Claude Desktop': startsAsConfigured,
  'Claude Code': startsAsConfigured,
  Cursor: startsAsConfigured,
  'VS Code': startsAsConfigured,
}
