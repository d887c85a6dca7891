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

/** What each block of the README must do. */
export const plays: Record<string, Play> = {
  'Claude Desktop': startsAsConfigured,
  'Claude Code': startsAsConfigured,
  Cursor: startsAsConfigured,
  'VS Code': startsAsConfigured,
}
