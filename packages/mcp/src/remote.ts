import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { Catalog } from '@ratecard/cost'
import { createToolServer } from './tool-server.ts'

// The tools as a Ratecard serves them: over streamable HTTP, to anybody, without a session. The server's build takes this
// file as its entry.

/** A request that was received whole. */
export interface RemoteRequest {
  readonly headers: Record<string, string>
  readonly body: string
}

export interface RemoteAnswer {
  readonly status: number
  readonly headers: Record<string, string>
  readonly body: string
}

/** The tools over a catalog in memory. */
export class RemoteTools {
  readonly #version: string
  readonly #report: (error: unknown) => void
  #catalog: Catalog | undefined

  constructor(version: string, report: (error: unknown) => void) {
    this.#version = version
    this.#report = report
  }

  /**
   * Takes these prices instead of those before.
   * @param snapshot the text of `/snapshot.json`
   */
  load(snapshot: string): void {
    this.#catalog = new Catalog(snapshot, { origin: 'url' })
  }

  /** Answers one message. Nothing of it is remembered. */
  async answer({ headers, body }: RemoteRequest): Promise<RemoteAnswer> {
    const get = () => {
      if (this.#catalog === undefined) throw new Error('A tool was called before there were prices.')
      return Promise.resolve({ catalog: this.#catalog, note: null })
    }
    const server = createToolServer({ get }, this.#version, { secret: null, report: this.#report })
    // No id: no session. One JSON document: no stream stays open.
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
    await server.connect(transport)
    try {
      const request = new Request('http://mcp.invalid/mcp', { method: 'POST', headers, body })
      const answer = await transport.handleRequest(request)
      const type = answer.headers.get('content-type')
      return {
        status: answer.status,
        headers: type === null ? {} : { 'content-type': type },
        body: await answer.text(),
      }
    } finally {
      await server.close()
    }
  }
}
