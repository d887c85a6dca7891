import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { listen } from '../../../scripts/packages/programs.ts'
import { byName, printed } from '../../../scripts/packages/uncaught.ts'
import type { Program } from './peers.ts'

/** What a program prints that lets an error pass. */
export interface Uncaught {
  /** With the folder of the program written as `/app`: they are the same on every machine. */
  bytes: number
  /** Whether a frame of the stack is the line of the call. */
  namesCall: boolean
}

/** Runs the program against a server that refuses every request. Answers what it does instead where it throws nothing. */
export async function failUncaught(
  program: Program,
  folder: string,
  name: string,
): Promise<Uncaught | string> {
  const { create, fail } = program
  if ('never' in fail) return fail.never
  const { call, says, refusal } = fail
  const file = `${name}.js`
  await writeFile(join(folder, file), `${create}\n${call}\n`)
  const callLine = create.split('\n').length + 1
  const server = createServer((_request, response) => {
    response.writeHead(401, { 'content-type': 'application/json', 'x-request-id': 'req_1' })
    response.end(JSON.stringify(refusal))
  })
  using listening = await listen(server, byName)
  const env = { API_KEY: 'rc_live_0123456789abcdefghij', BASE_URL: listening.origin }
  const { stderr } = await printed(process.execPath, [join(folder, file)], env)
  const text = stderr.replaceAll(folder, '/app')
  // Another mistake would be measured else.
  if (!says.test(text)) throw new Error(`${folder}/${file} does not end with ${says.source}:\n${stderr}`)
  return { bytes: Buffer.byteLength(text), namesCall: text.includes(`/app/${file}:${callLine}:`) }
}
