import { connect } from 'node:net'

// Requests that no HTTP client would send: byte for byte, on a socket of their own.

export interface RawAnswer {
  status: number
  headers: Headers
  text: string
  /** The parsed body; undefined when there was none. */
  body: unknown
}

/** The answers to these bytes, once the server has closed the connection. So the last request must ask for that. */
export async function exchange(url: string, bytes: string | Uint8Array): Promise<RawAnswer[]> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  // A server that has refused the request may reset the connection while the rest is under way.
  socket.on('error', () => undefined)
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.write(bytes)
  await closed
  return readAnswers(Buffer.concat(chunks))
}

/** The only answer to one request, given by its first line and its headers. */
export async function send(url: string, line: string, ...headers: string[]): Promise<RawAnswer> {
  const [answer, ...more] = await exchange(url, head(line, ...headers, 'Connection: close'))
  if (!answer || more.length > 0) throw new Error(`${line} got ${more.length + (answer ? 1 : 0)} answers`)
  return answer
}

export function head(line: string, ...headers: string[]): string {
  return `${[`${line} HTTP/1.1`, 'Host: ratecard.example', ...headers].join('\r\n')}\r\n\r\n`
}

function readAnswers(bytes: Buffer): RawAnswer[] {
  const answers: RawAnswer[] = []
  for (let rest = bytes; rest.length > 0;) {
    const headEnd = rest.indexOf('\r\n\r\n')
    if (headEnd === -1) throw new Error(`This is no HTTP answer: ${rest.toString().slice(0, 200)}`)
    const [statusLine = '', ...lines] = rest.subarray(0, headEnd).toString('latin1').split('\r\n')
    const headers = new Headers(
      lines.map((line): [string, string] => {
        const colon = line.indexOf(':')
        return [line.slice(0, colon), line.slice(colon + 1).trim()]
      }),
    )
    const status = Number(statusLine.split(' ')[1])
    const afterHead = rest.subarray(headEnd + 4)
    const [content, after] = status < 200 ? [Buffer.alloc(0), afterHead] : splitBody(headers, afterHead)
    const text = content.toString()
    const isJson =
      headers.get('content-type')?.startsWith('application/json') &&
      !headers.has('content-encoding') &&
      text !== ''
    answers.push({
      status,
      headers,
      text,
      body: isJson ? (JSON.parse(text) as unknown) : undefined,
    })
    rest = after
  }
  return answers
}

/** The body that starts here, and the text after it. */
function splitBody(headers: Headers, bytes: Buffer): [Buffer, Buffer] {
  if (headers.get('transfer-encoding') !== 'chunked') {
    const length = Number(headers.get('content-length') ?? bytes.length)
    return [bytes.subarray(0, length), bytes.subarray(length)]
  }
  const chunks: Buffer[] = []
  for (let rest = bytes; ;) {
    const lineEnd = rest.indexOf('\r\n')
    const size = Number.parseInt(rest.subarray(0, lineEnd).toString(), 16)
    const start = lineEnd + 2
    chunks.push(rest.subarray(start, start + size))
    rest = rest.subarray(start + size + 2)
    if (size === 0 || Number.isNaN(size)) return [Buffer.concat(chunks), rest]
  }
}
