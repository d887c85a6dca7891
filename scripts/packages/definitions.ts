import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, realpath, writeFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { createInterface } from 'node:readline'
import { checked, type Finding } from './findings.ts'
import { repository } from './published.ts'

// "Go to definition", asked of the server that editors ask, in a program that uses the unpacked tarballs.

/** Marked by `§`: the word whose definition is asked for. Beside it the text that the definition's line must have. */
const asked: [line: string, package_: string, source: string, definition: string][] = [
  ['import { §Ratecard } from "@ratecard/sdk"', 'sdk', 'client.ts', 'export class Ratecard '],
  ['import §Client from "@ratecard/sdk"', 'sdk', 'client.ts', 'export class Ratecard '],
  ['import { §AuthenticationError } from "@ratecard/sdk"', 'sdk', 'errors.ts', 'class AuthenticationError '],
  ['import type { §Price } from "@ratecard/sdk"', 'sdk', 'generated/models.ts', 'export interface Price '],
  ['new Ratecard().§prices', 'sdk', 'client.ts', 'readonly prices: Prices'],
  ['new Ratecard().prices.§list()', 'sdk', 'resources.ts', 'list(params?: PriceListParams'],
  ['new Client().usage.get().§withResponse()', 'sdk', 'api-promise.ts', 'withResponse(): Promise'],
  ['import { §costOf } from "@ratecard/cost"', 'cost', 'answer.ts', 'costOf'],
  ['import { §costOf } from "@ratecard/cost/core"', 'cost', 'cost-of.ts', 'costOf'],
  ['import { §readGemini } from "@ratecard/cost/readers"', 'cost', 'readers/gemini.ts', 'readGemini'],
  ['import { §verify } from "@ratecard/webhooks"', 'webhooks', 'index.ts', 'verify'],
  [
    'import { §WebhookVerificationError } from "@ratecard/webhooks"',
    'webhooks',
    'error.ts',
    'class WebhookVerificationError ',
  ],
  [
    'import { §ratecardWebhook } from "@ratecard/webhooks/express"',
    'webhooks',
    'express.ts',
    'ratecardWebhook',
  ],
]

/** @param folder a folder with the packages in its `node_modules` */
export async function definitionsEndInSource(folder: string): Promise<Finding> {
  const problems: string[] = []
  for (const extension of ['mts', 'cts']) {
    const file = join(folder, `definitions.${extension}`)
    await writeFile(file, asked.map(([line]) => line.replace('§', '')).join('\n'))
    const answers = await definitionsIn(file, folder)
    for (const [index, [line, package_, source, definition]] of asked.entries()) {
      const found = answers[index]
      const wanted = ['src', source].join(sep)
      const at = found && relative(await realpath(join(folder, package_)), found.file)
      if (found === undefined || at !== wanted || !found.text.includes(definition))
        problems.push(`${line} (${extension}) leads to ${at ?? 'nothing'}: ${found?.text.trim() ?? ''}`)
    }
  }
  return checked('go to definition ends in source', `${2 * asked.length} words`, problems)
}

interface Definition {
  file: string
  /** Its first line. */
  text: string
}

/** What the words of the file are defined by, in their order. */
async function definitionsIn(file: string, folder: string): Promise<(Definition | undefined)[]> {
  const tsserver = join(repository, 'node_modules/typescript/lib/tsserver.js')
  const server = spawn(process.execPath, [tsserver, '--disableAutomaticTypingAcquisition'], {
    cwd: folder,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const closed = once(server, 'close')
  const send = (seq: number, command: string, words: object) =>
    server.stdin.write(`${JSON.stringify({ seq, type: 'request', command, arguments: words })}\n`)
  send(0, 'open', { file })
  for (const [index, [line]] of asked.entries()) {
    send(index + 1, 'definition', { file, line: index + 1, offset: line.indexOf('§') + 1 })
  }
  const answers: (Definition | undefined)[] = []
  for await (const line of createInterface({ input: server.stdout })) {
    if (!line.startsWith('{')) continue
    const { request_seq, body } = JSON.parse(line) as Answer
    if (!request_seq) continue
    const [first] = Array.isArray(body) ? body : []
    if (first !== undefined) {
      const lines = (await readFile(first.file, 'utf8')).split('\n')
      answers[request_seq - 1] = { file: first.file, text: lines[first.start.line - 1] ?? '' }
    }
    if (request_seq === asked.length) send(asked.length + 1, 'exit', {})
  }
  await closed
  return answers
}

interface Answer {
  request_seq?: number
  body?: { file: string; start: { line: number } }[]
}
