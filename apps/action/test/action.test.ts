import { execFile } from 'node:child_process'
import { cp, glob, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { parse } from 'yaml'
import { record, snapshotOf } from '../../../packages/cost/test/support.ts'

// The step as a runner starts it: the file that action.yml names, in a process, with inputs as variables and files for
// what it answers. It runs from a copy of what a runner has of this repository, where nothing is installed. Prices come
// over HTTP, and GitHub is a server that keeps what it gets.

const root = fileURLToPath(new URL('../../../', import.meta.url))
interface Definition {
  name: string
  description: string
  inputs: Record<string, { description: string; default?: string }>
  runs: { using: string; main: string }
  outputs: Record<string, { description: string }>
}
const action = parse(await readFile(join(root, 'action.yml'), 'utf8')) as Definition

const evil = 'x`|<img src=x>\n::error::injected\r##[error]'
const prices = snapshotOf([
  record({ resource_id: 'openai:gpt-4o', input_per_mtok: '2.5', output_per_mtok: '10' }),
  record({ resource_id: `openai:${evil}`, input_per_mtok: '1' }),
  record({ resource_id: 'openai:gpt-5-mini', input_per_mtok: '0.25', output_per_mtok: '2' }),
  record({ resource_id: 'openai:gpt-4-0314', input_per_mtok: '30', retires_on: '2025-06-13' }),
  record({ resource_id: 'openai:gpt-6', input_per_mtok: '5', retires_on: '2999-01-01' }),
  record({ resource_id: 'openai:o1-mini', input_per_mtok: '1', gone_since: '2025-10-27T08:00:00Z' }),
  record({ resource_id: 'openai:o1-preview', input_per_mtok: '1', ended_on: '2025-07-28' }),
  record({ resource_id: 'openai:command', input_per_mtok: '1', retires_on: '2025-09-15' }),
])
const row = (input: number) => ({ litellm_provider: 'openai', input_cost_per_token: input })
const files: Record<string, string> = {
  'right.json': JSON.stringify({ 'gpt-4o': row(2.5e-6) }),
  'wrong.json': JSON.stringify({ 'gpt-5-mini': row(0.25e-6), 'gpt-4o': row(2e-6) }, null, 2),
  'broken.json': '{',
  'src/well.ts': `call({ model: 'gpt-5-mini', text: 'command' })\n`,
  'src/old.ts': `const a = 1\n\ncall({ model: 'gpt-4-0314' })\n`,
  'src/priced.yaml': 'first: 1\nmodel: openai/gpt-4o # ours\n',
  'src/soon.ts': `call('gpt-6')\n`,
  [`odd/a,b:c%0A::error::x.ts`]: `call('gpt-4-0314')\n`,
  'odd/word.ts': `text('command')\ncall({ model: 'command' })\n`,
}

interface Asked {
  method: string
  url: string
  authorization: string | undefined
  body: string | null
}
let asked: Asked[] = []
let comments: { id: number; body: string; user: { type: string; login: string } }[] = []
let mayWrite = true
const listen = (server: Server) =>
  new Promise<string>((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    ),
  )
const seller = createServer((req, res) => {
  if (req.url !== '/snapshot.json') return res.writeHead(404).end()
  res.setHeader('content-type', 'application/json').end(JSON.stringify(prices))
})
const github = createServer((req, res) => {
  const chunks: Buffer[] = []
  req.on('data', (chunk: Buffer) => chunks.push(chunk))
  req.on('end', () => {
    const { method = '', url = '', headers } = req
    const body = (JSON.parse(Buffer.concat(chunks).toString() || '{}') as { body?: string }).body ?? null
    asked.push({ method, url, authorization: headers.authorization, body })
    const answer = (status: number, value: unknown) =>
      res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    if (url === '/user' || (method !== 'GET' && !mayWrite)) return answer(403, {})
    const user = { type: 'Bot', login: 'github-actions[bot]' }
    if (method === 'POST') {
      if ([...body!].length > 65_536) return answer(422, {})
      comments.push({ id: comments.length + 1, body: body!, user })
      return answer(201, {})
    }
    const page = Number(new URL(url, 'http://x').searchParams.get('page'))
    if (method === 'GET') return answer(200, comments.slice((page - 1) * 100, page * 100))
    comments.find(({ id }) => url.endsWith(`/comments/${id}`))!.body = body!
    return answer(200, {})
  })
})

let folder = ''
let sellerUrl = ''
let githubUrl = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ratecard-action-'))
  for (const name of ['action.yml', 'apps/action/package.json', 'apps/action/generated'])
    await cp(join(root, name), join(folder, 'action', name), { recursive: true })
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, 'work', name)), { recursive: true })
    await writeFile(join(folder, 'work', name), text)
  }
  await writeFile(join(folder, 'secret.json'), files['wrong.json']!)
  await symlink('../secret.json', join(folder, 'work/link.json'))
  await writeFile(join(folder, 'event.json'), JSON.stringify({ pull_request: { number: 7 } }))
  await writeFile(join(folder, 'push.json'), JSON.stringify({ after: 'abc' }))
  ;[sellerUrl, githubUrl] = await Promise.all([listen(seller), listen(github)])
})
afterAll(async () => {
  seller.close()
  github.close()
  await rm(folder, { recursive: true })
})
beforeEach(() => {
  asked = []
  comments = []
  mayWrite = true
})

async function run(inputs: Record<string, string>, event = 'event.json') {
  const [summary, output] = [join(folder, 'summary'), join(folder, 'output')]
  await Promise.all([writeFile(summary, ''), writeFile(output, '')])
  const given = Object.entries(action.inputs).map(([name, { default: usual = '' }]) => [
    `INPUT_${name.toUpperCase()}`,
    inputs[name] ?? { server: sellerUrl, token: 'secret-token' }[name] ?? usual,
  ])
  const env = {
    ...(Object.fromEntries(given) as Record<string, string>),
    ...{
      GITHUB_ACTIONS: 'true',
      CI: 'true',
      GITHUB_ACTION_PATH: join(folder, 'action'),
      RUNNER_TEMP: folder,
    },
    ...{ GITHUB_WORKSPACE: join(folder, 'work'), GITHUB_REPOSITORY: 'acme/app' },
    ...{ GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output, GITHUB_API_URL: githubUrl },
    GITHUB_EVENT_PATH: join(folder, event),
  }
  const ended = await new Promise<{ code: number; out: string }>((resolve) =>
    execFile(
      process.execPath,
      [join(folder, 'action', action.runs.main)],
      { env, cwd: join(folder, 'work') },
      (error, out, err) => resolve({ code: Number(error?.code ?? 0), out: out + err }),
    ),
  )
  return { ...ended, summary: await readFile(summary, 'utf8'), output: await readFile(output, 'utf8') }
}

test('it is a step of Node 24, by fields that GitHub knows', async () => {
  expect(process.versions.node.split('.')[0]).toBe('24')
  expect(action.runs).toEqual({ using: 'node24', main: 'apps/action/generated/action.js' })
  const known = ['name', 'description', 'author', 'inputs', 'outputs', 'runs', 'branding']
  expect(Object.keys(action).filter((field) => !known.includes(field))).toEqual([])
  expect([typeof action.name, typeof action.description]).toEqual(['string', 'string'])
  // https://docs.github.com/en/actions/reference/workflows-and-actions/metadata-syntax
  const fieldsOf = {
    inputs: ['description', 'default', 'required', 'deprecationMessage'],
    outputs: ['description'],
  }
  for (const part of ['inputs', 'outputs'] as const)
    for (const [name, about] of Object.entries(action[part])) {
      expect(name).toMatch(/^[a-z_][a-z0-9_-]*$/i)
      expect(about.description, name).toMatch(/\.$/)
      expect(Object.keys(about).filter((field) => !fieldsOf[part].includes(field))).toEqual([])
      for (const value of Object.values(about)) expect(typeof value, name).toBe('string')
    }
  const { publisher } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    publisher: { server: string }
  }
  expect(action.inputs['server']?.default).toBe(publisher.server)
})

test('it reads the inputs that it declares, answers the outputs that it declares, and no others', async () => {
  const asked = new Set<string>()
  for await (const file of glob('apps/action/src/*.ts', { cwd: root }))
    for (const [, name] of (await readFile(join(root, file), 'utf8')).matchAll(
      /\bread(?:Input|Lines)\('([^']+)'\)/g,
    ))
      asked.add(name!)
  expect([...asked].sort()).toEqual(Object.keys(action.inputs).sort())
  const { output } = await run({ table: 'right.json' })
  expect([...output.matchAll(/^([^=]+)=/gm)].map(([, name]) => name)).toEqual(Object.keys(action.outputs))
})

test('the workflow of the documentation runs as it stands there', async () => {
  const guide = await readFile(join(root, 'docs/github-action.md'), 'utf8')
  const workflow = parse(/```yaml\n([^`]+)```/.exec(guide)![1]!) as {
    on: object
    permissions: object
    jobs: { prices: { steps: { uses: string; with?: Record<string, string> }[] } }
  }
  expect(Object.keys(workflow.on)).toEqual(['pull_request', 'schedule'])
  expect(workflow.permissions).toEqual({ contents: 'read', 'pull-requests': 'write' })
  const { with: given = {} } = workflow.jobs.prices.steps.at(-1)!
  expect(Object.keys(given).filter((name) => !(name in action.inputs))).toEqual([])
  expect(given['server']).toBe(action.inputs['server']!.default)
  const own: Record<string, string> = {
    'config/model_prices.json': files['wrong.json']!,
    'src/deep/pinned.ts': `call({ model: 'gpt-4o' })\n`,
    'deploy/app.yaml': 'model: gpt-4-0314\n',
  }
  for (const [name, text] of Object.entries(own)) {
    await mkdir(dirname(join(folder, 'work', name)), { recursive: true })
    await writeFile(join(folder, 'work', name), text)
  }
  const { code, out } = await run({ ...given, server: sellerUrl })
  expect(code).toBe(1)
  expect(out).toContain('::error file=deploy/app.yaml,line=1::gpt-4-0314')
  expect(out).toContain('::error file=src/deep/pinned.ts,line=1::gpt-4o')
  expect(out).toContain('::warning file=config/model_prices.json,line=6::gpt-4o')
  expect(comments).toHaveLength(1)
})

test('where all is well nothing is said, and no comment begun', async () => {
  const { code, out, summary, output } = await run({ table: 'right.json', paths: 'src/well.ts' })
  expect([code, out]).toEqual([0, ''])
  expect(summary).toContain('1 rows of price tables compared, 0 amounts wrong')
  expect(output).toBe('wrong=0\nretired=0\nmispriced=0\nfailed=false\n')
  expect(asked.map(({ method }) => method)).toEqual(['GET'])
})

test('a retired model fails, with file and line', async () => {
  const { code, out, output } = await run({ paths: 'src/old.ts\nsrc/soon.ts', models: 'gpt-4-0314' })
  expect(code).toBe(1)
  expect(out.split('\n')).toEqual([
    '::error::gpt-4-0314 (openai:gpt-4-0314) retired on 2025-06-13.',
    '::error file=src/old.ts,line=3::gpt-4-0314 (openai:gpt-4-0314) retired on 2025-06-13.',
    '::warning file=src/soon.ts,line=1::gpt-6 (openai:gpt-6) retires on 2999-01-01.',
    '',
  ])
  expect(output).toContain('retired=2\n')
  expect((await run({ paths: 'src/old.ts', 'fail-on': 'mispriced' })).code).toBe(0)
})

test('a model whose price ended, or that no list has any more, is retired', async () => {
  await writeFile(join(folder, 'work/ended.ts'), `call('o1-mini')\ncall('o1-preview')\n`)
  const { code, out, output } = await run({ paths: 'ended.ts' })
  expect(code).toBe(1)
  expect(out.split('\n')).toEqual([
    '::error file=ended.ts,line=1::o1-mini (openai:o1-mini) is on no list since 2025-10-27.',
    '::error file=ended.ts,line=2::o1-preview (openai:o1-preview) has no price since 2025-07-28.',
    '',
  ])
  expect(output).toContain('retired=2\n')
})

test.each([
  ['blanks behind a sign', `: ${' '.repeat(900_000)}a`],
  ['blanks behind a word', `x = a${' '.repeat(900_000)}b`],
  ['signs', `"${'a:'.repeat(500_000)}`],
])('a line of many %s is read at once', { timeout: 60_000 }, async (_, line) => {
  await writeFile(join(folder, 'work/long.ts'), `${line}\ncall('gpt-4-0314')\n`)
  expect((await run({ paths: 'long.ts' })).out).toContain('file=long.ts,line=2::')
})

test('a wrong amount warns where it stands, and fails where the code pins its model', async () => {
  const alone = await run({ table: 'wrong.json' })
  expect(alone.code).toBe(0)
  expect(alone.out).toBe(
    '::warning file=wrong.json,line=6::gpt-4o: input_per_mtok is 2, and 2.5 is served.\n',
  )
  expect((await run({ table: 'wrong.json', 'fail-on': 'drift' })).code).toBe(1)
  const pinned = await run({ table: 'wrong.json', paths: 'src/*' })
  expect(pinned.code).toBe(1)
  expect(pinned.out).toContain(
    '::error file=src/priced.yaml,line=2::openai/gpt-4o (openai:gpt-4o) has a wrong',
  )
  expect(pinned.output).toContain('mispriced=1\n')
})

test('a second run brings its comment up to date and adds none, and a stranger with its marker is left alone', async () => {
  await run({ table: 'wrong.json' })
  expect(comments).toHaveLength(1)
  expect(asked.map(({ authorization }) => authorization)).toEqual(Array(2).fill('Bearer secret-token'))
  const { body } = comments[0]!
  expect(body).toContain('| `gpt-4o` | `wrong.json:6` | input_per_mtok | 2 | 2.5 |')
  const marker = body.split('\n')[0]!
  comments[0] = { id: 1, body: marker, user: { type: 'User', login: 'stranger' } }
  for (let id = 2; id <= 150; id += 1)
    comments.push({
      id,
      body: id === 150 ? marker : 'hello',
      user: { type: 'Bot', login: 'github-actions[bot]' },
    })
  await run({ table: 'wrong.json' })
  expect(comments).toHaveLength(150)
  expect([comments[0].body, comments[149]!.body]).toEqual([marker, body])
})

test('a token that may not write is a notice, and a push has no pull request', async () => {
  mayWrite = false
  const fork = await run({ table: 'wrong.json' })
  expect(fork.code).toBe(0)
  expect(fork.out).toContain(
    '::notice::No comment was written on the pull request: the token may not write (403)',
  )
  expect(fork.out).not.toContain('secret-token')
  asked = []
  expect((await run({ table: 'wrong.json' }, 'push.json')).code).toBe(0)
  expect(asked).toEqual([])
})

test("strangers' names begin no command and no markup", async () => {
  const odd = await run({ paths: 'odd/*' })
  expect(odd.code).toBe(1)
  const lines = odd.out.split('\n').filter(Boolean)
  // The word alone is none, beside "model" it is one.
  expect(lines.map((line) => /^::error file=[^,]*,line=\d+::/.exec(line)?.[0])).toEqual([
    '::error file=odd/a%2Cb%3Ac%250A%3A%3Aerror%3A%3Ax.ts,line=1::',
    '::error file=odd/word.ts,line=2::',
  ])
  await writeFile(join(folder, 'work/evil.json'), JSON.stringify({ [evil]: row(1) }))
  const named = await run({ table: 'evil.json' })
  expect(named.out).toBe(
    '::warning file=evil.json,line=1::x`|<img src=x>%0A::error::injected%0D##[error]: input_per_mtok is 1000000, and 1 is served.\n',
  )
  const cell = '| `x��<img src=x>�::error::injected�##[error]` | `evil.json:1` |'
  expect(named.summary).toContain(cell)
  expect(comments[1]!.body).toContain(cell)
})

test('a comment has room for what GitHub takes', async () => {
  await writeFile(join(folder, 'work/pins.ts'), `call('gpt-4-0314')\n`.repeat(5_000))
  const { out, summary } = await run({ paths: 'pins.ts' })
  expect(out.split('\n').length).toBe(51)
  expect(summary).toMatch(/And \d+ more\./)
  expect(comments).toHaveLength(1)
})

test.each([
  [{}, /Nothing is to be compared/],
  [{ table: 'none.json' }, /"table" names no file/],
  // It leads out of the repository.
  [{ table: 'link.json' }, /"table" names no file/],
  [{ table: 'broken.json' }, /broken\.json is no JSON/],
  [{ table: 'right.json', 'fail-on': 'all' }, /"fail-on" is of retired, mispriced, drift/],
  [{ table: 'right.json', server: 'ftp://prices.example' }, /"server" is the address/],
  [{ table: 'right.json', server: 'http://127.0.0.1:1' }, /The prices were not compared/],
])('%j cannot be checked, and fails', async (inputs, expected) => {
  const { code, out } = await run(inputs)
  expect(code).toBe(1)
  expect(out).toMatch(/^::error::/)
  expect(out).toMatch(expected)
})
