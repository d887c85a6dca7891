import type { Engine } from './engine.ts'
import { NoConnection } from './script.ts'
import type { FakeFetch, WebRequest, WebResponse } from './web-types.ts'

// How requests reach the engine: as a plain `fetch`, or through msw.

type Answering = Engine['answer']

/** As much of msw's `http` as is used here. */
export interface MswHttp<Handler> {
  all(predicate: RegExp, resolver: (info: { request: WebRequest }) => Promise<WebResponse>): Handler
}

export function createFetch(answer: Answering, baseUrl: string): FakeFetch {
  return async (input, init) => {
    const signal = init?.signal ?? (input instanceof Request ? input.signal : null)
    signal?.throwIfAborted()
    // The signal is watched here, and nowhere else: a Request would keep listening to it.
    return answerRequest(answer, baseUrl, new Request(input, { ...init, signal: null }), signal)
  }
}

export function createHandlers<Handler>(
  answer: Answering,
  baseUrl: string,
  http: MswHttp<Handler>,
): Handler[] {
  if (typeof (http as Partial<MswHttp<Handler>> | undefined)?.all !== 'function') {
    throw new TypeError('Pass the `http` that msw exports: fake.handlers(http).')
  }
  const below = new RegExp(`^${baseUrl.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?:/|$)`)
  const handler = http.all(below, async ({ request }) => {
    try {
      return await answerRequest(answer, baseUrl, request, request.signal)
    } catch (error) {
      // msw takes this for a failed connection; a thrown error would be a 500.
      if (error instanceof NoConnection || request.signal.aborted) return Response.error()
      throw error
    }
  })
  return [handler]
}

async function answerRequest(
  answer: Answering,
  baseUrl: string,
  request: Request,
  signal: AbortSignal | null,
): Promise<Response> {
  const url = request.url.split('#')[0] ?? ''
  const rest = url.slice(baseUrl.length)
  if (!url.startsWith(baseUrl) || !/^[/?]|^$/.test(rest)) {
    return misdirected(baseUrl, url)
  }
  const [path = '', ...query] = rest.split('?')
  const call = {
    method: request.method,
    path: path || '/',
    query: query.join('?'),
    headers: request.headers,
    body: new Uint8Array(await request.arrayBuffer()),
  }
  const { status, headers, body } = await answer(call, signal)
  signal?.throwIfAborted()
  return new Response(body, { status, headers })
}

/**
 * Says where the fake is. An answer, as a failed connection would be tried again, and its reason lie deep in an error: 421
 * is what HTTP has for a request to the wrong server.
 */
function misdirected(baseUrl: string, url: string): Response {
  const message =
    `The fake Ratecard answers at ${baseUrl}, not at ${new URL(url).origin}. ` +
    'Make the client with baseUrl: fake.baseUrl, or the fake with the baseUrl of your program.'
  return Response.json({ error: 'misdirected_request', message, status: 421 }, { status: 421 })
}
