import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { request } from './support/client.ts'
import { Browser } from './support/dashboard-client.ts'
import { ratecard } from './support/process.ts'
import { start, type Started } from './support/start.ts'

// `ratecard start` in an empty folder: a product with real prices at once, and the same one ever after.

interface StartDocument {
  url: string
  docs: string
  dashboard: string
  demo: { account_id: string; key: string; email: string; password: string } | null
}

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ratecard-start-'))
  await chmod(folder, 0o755)
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

test(
  'the first start serves real prices and a key; the second keeps everything',
  { timeout: 600_000 },
  async () => {
    const first = await start(['--json'], join(folder, 'data'))
    const document = JSON.parse(first.stdout) as StartDocument
    const { key, account_id: accountId } = document.demo ?? { key: '', account_id: '' }
    expect(key).toMatch(/^rc_live_\w{36}$/)
    expect(first.stderr).toMatch(
      /Loaded \d+ prices from @pydantic\/genai-prices.*: prices of \d{4}-\d\d-\d\d, \d+ days? ago; "ratecard feed refresh"/,
    )
    expect(first.stderr).toMatch(/Published \d+ changes/)

    const base = document.url.replace('localhost', '127.0.0.1')
    // Gateways ask once, when they start: the files are there already.
    for (const name of [
      'litellm.json',
      'litellm.report.json',
      'genai-prices.json',
      'snapshot.json',
      'SHA256SUMS.sig',
    ])
      expect([name, (await fetch(`${base}/exports/${name}`)).status]).toEqual([name, 200])
    expect((await fetch(document.docs.replace('localhost', '127.0.0.1'))).status).toBe(200)
    expect(document.dashboard).toBe(`${document.url}/dashboard`)
    const { email = '', password = '' } = document.demo ?? {}
    const browser = new Browser(base)
    expect((await browser.post('/sign-in', { email, password })).status).toBe(200)
    expect(await browser.get('/me')).toMatchObject({
      body: { data: { account: { id: accountId, role: 'owner', plan: 'developer' } } },
    })
    const walks = []
    for (const limit of [500, 333, 97]) walks.push(await walk(base, key, limit))
    const [ids = []] = walks
    // Routers' rows are not served until their own lists are read.
    expect(ids.length).toBeGreaterThan(900)
    for (const walked of walks) {
      expect(new Set(walked).size).toBe(walked.length)
      expect(walked).toEqual(ids)
    }
    // An embedding is one, whatever the list says of all that is billed by tokens.
    const embeddings = await walk(base, key, 500, '&modality=embedding')
    expect(embeddings.length).toBeGreaterThan(10)
    expect(ids.filter((id) => /embed(?!ded)/.test(id) && !embeddings.includes(id))).toEqual([])
    expect(await walk(base, key, 500, '&platform=openrouter')).toEqual([])
    // Read now, and as old as the data is.
    const [, day = '', days = ''] = /prices of (\S+), (\d+) days? ago/.exec(first.stderr) ?? []
    const ageSeconds = await metric(first, 'ratecard_feed_data_age_seconds{source="genai-prices"}')
    expect(Math.floor(ageSeconds / 86_400)).toBe(Number(days))
    const changes = await request(base, '/v1/changes?limit=100', { key })
    const published = (changes.body as { data: unknown[] }).data.length
    expect(published).toBeGreaterThan(0)
    expect(await first.stop()).toBe(0)

    const second = await start([], join(folder, 'data'))
    console.log(`first start ${first.startMs} ms with ${ids.length} prices, second ${second.startMs} ms`)
    expect(second.stdout).not.toContain('rc_live_')
    expect(second.stdout).not.toContain(email)
    expect(second.stdout).toContain('keys create --account ACCOUNT_ID')
    expect(second.stderr).not.toMatch(/Loaded|Published/)
    const [, address = ''] = /Ratecard serves (\S+)/.exec(second.stdout) ?? []
    expect(second.stdout).toContain(`API reference: ${address}/docs/`)
    const again = address.replace('localhost', '127.0.0.1')
    expect(await walk(again, key, 500)).toEqual(ids)
    const changesAgain = await request(again, '/v1/changes?limit=100', { key })
    expect(changesAgain.body).toEqual(changes.body)

    const said = ['accounts list', 'feed status', 'feed disagreements'].map((words) =>
      ratecard([...words.split(' '), '--json'], { DATA_DIR: join(folder, 'data') }),
    )
    const [accounts, status, judged] = (await Promise.all(said)).map(
      ({ stdout }) => JSON.parse(stdout) as unknown,
    )
    expect(accounts).toEqual([expect.objectContaining({ id: accountId, name: 'Demo' })])
    expect(status).toMatchObject([{ id: 'genai-prices', data_at: day }])
    expect(judged).toMatchObject({ outvoted: 0 })
    expect(await second.stop()).toBe(0)
  },
)

/** A figure of the admin port, whose number the server logs. */
async function metric({ stderr }: Started, name: string): Promise<number> {
  const [, port = ''] = /"admin_port":(\d+)/.exec(stderr) ?? []
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  const line = (await response.text()).split('\n').find((text) => text.startsWith(`${name} `))
  return Number(line?.slice(name.length + 1))
}

/** Every resource id in page order, of those that the filter lets through. */
async function walk(base: string, key: string, limit: number, filter = ''): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null = null
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`
    const { status, body } = await request(base, `/v1/prices?limit=${limit}${filter}${query}`, { key })
    expect(status).toBe(200)
    const page = body as { data: { resource_id: string }[]; pagination?: { next_cursor: string | null } }
    ids.push(...page.data.map((row) => row.resource_id))
    cursor = page.pagination?.next_cursor ?? null
  } while (cursor !== null)
  return ids
}
