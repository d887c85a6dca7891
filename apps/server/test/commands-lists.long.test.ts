import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { useDatabase } from './support/postgres.ts'
import { environment, ratecard } from './support/process.ts'
import { changeFile } from './support/fixtures.ts'
import {
  failed,
  inTime,
  rfc3339,
  type ImportDocument,
  type PriceDocument,
  useCommands,
} from './support/commands.ts'

// The operator's commands as processes of their own, in both forms: lines for people, and --json.

const database = useDatabase()
const { env, fileWith, folder, run, runJson } = useCommands(database)

describe('prices', () => {
  test('import from the package, a file and an address; list with filters', async () => {
    const importing = ['prices', 'import', '--source']
    expect((await run(['prices', 'list'])).stdout).toMatch(/^No prices match/)
    const dry = (await runJson([...importing, 'genai-prices', '--dry-run'])) as ImportDocument
    expect(dry).toMatchObject({ source: 'genai-prices', dry_run: true, changed: 0 })
    expect(await runJson(['prices', 'list'])).toEqual({ rows: [], cut: null })
    const people = await run([...importing, 'genai-prices'])
    expect(people.stdout).toMatch(
      // Rows of routers whose own list was not read are not served: they are unchanged.
      new RegExp(
        `genai-prices +applied +\\S+ +\\S+ +\\d+ +${dry.added} +0 +${dry.unchanged} +${dry.rejected}`,
      ),
    )
    expect(await runJson([...importing, 'genai-prices'])).toMatchObject({
      added: 0,
      unchanged: dry.added + dry.unchanged,
    })
    expect((await run([...importing, 'genai-prices', '--dry-run'])).stdout).toContain('Nothing was written')

    const file = await fileWith('prices.json', {
      'acme-1': { litellm_provider: 'acme', mode: 'chat', input_cost_per_token: 2e-7 },
      'acme-2': { litellm_provider: 'acme', mode: 'chat', input_cost_per_token: -5 },
    })
    const text = readFileSync(file)
    const shown = await ratecard([...importing, 'litellm', '--file', basename(file), '--json'], {
      ...env(),
      INIT_CWD: dirname(file),
    })
    expect(JSON.parse(shown.stdout)).toMatchObject({
      added: 1,
      rejections: [{ id: 'acme-2', reason: expect.stringContaining('negative') as string }],
    })
    const site = createServer((request, response) => {
      response.statusCode = request.url === '/prices.json' ? 200 : 404
      response.end(text)
    }).listen(0, '127.0.0.1')
    await expect.poll(() => site.address(), inTime).not.toBeNull()
    const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
    expect(await runJson([...importing, 'litellm', '--url', `${url}/prices.json`])).toMatchObject({
      unchanged: 1,
    })
    await new Promise((resolve) => site.close(resolve))
    const { rows: openai } = (await runJson(['prices', 'list', '--vendor', 'openai', '--limit', '5'])) as {
      rows: PriceDocument[]
    }
    expect(openai).toHaveLength(5)
    expect(openai.every((row) => row.id === row.resource_id && row.vendor === 'openai')).toBe(true)
    expect(openai.every((row) => rfc3339.test(row.updated_at))).toBe(true)
    const list = await run(['prices', 'list', '--limit', '3'])
    expect(list.stdout).toMatch(/acme:acme-1 .* 0\.2 /)
    expect(list.stderr).toContain('There are more: --limit 100000')
  })

  test('a reader that stops reading early, such as head, is no fault', async () => {
    const program = new URL('../bin/ratecard.js', import.meta.url).pathname
    const child = spawn(process.execPath, [program, 'prices', 'list', '--limit', '100000', '--json'], {
      env: environment(env()),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
    child.stdout.once('data', () => child.stdout.destroy())
    await once(child, 'close')
    expect(child.exitCode).toBe(0)
    expect(stderr).toBe('')
  })
})

describe('publishing changes', () => {
  const publish = ['changes', 'publish']

  test('one object or an array, newest last; each answer names the ids', async () => {
    expect((await run(['changes', 'list'])).stdout).toMatch(/^No changes yet/)
    const one = await fileWith('one.json', changeFile({ id: 'one', first_seen: '2026-01-31T12:00:00+01:00' }))
    expect(await runJson([...publish, one])).toEqual([{ id: 'one', title: 'Alpha is cheaper' }])
    const two = await fileWith('two.json', [
      changeFile({ alternatives: [alternative] }),
      changeFile({ id: 'three', category: 'incident', source_url: 'https://acme.example/x' }),
    ])
    expect((await run([...publish, two, '--no-alert'])).stdout).toMatch(/chg_\w+ .*\nthree /)
    const { rows: list } = (await runJson(['changes', 'list'])) as { rows: Record<string, unknown>[] }
    expect(list.map(({ id }) => id)).toEqual(['three', expect.stringMatching(/^chg_/), 'one'])
    expect(list[2]).toMatchObject({
      first_seen: '2026-01-31T11:00:00.000000Z',
      last_seen: '2026-01-31T11:00:00.000000Z',
    })
    expect(list[1]).toMatchObject({ alternatives: [alternative] })
    const limited = await run(['changes', 'list', '--limit', '1'])
    expect(limited.stdout).toMatch(/three/)
    expect(limited.stdout).not.toContain('There are more')
    expect(limited.stderr).toContain('There are more: --limit 10000')
  })

  test('all or nothing: each bad field of each change is named, and none is published', async () => {
    const before = await runJson(['changes', 'list'])
    const file = await fileWith('bad.json', [
      changeFile({ id: 'good' }),
      changeFile({ severity: 6, title: ' ', impact_score: 1.5, verified_at: '2026-02-30' }),
      changeFile({ vendr: 'acme', access: 'full', updated_at: '2026-01-01T00:00:00Z', view_count: 3 }),
      changeFile({ alternatives: [{ ...alternative, migration_effort: 'none' }] }),
      { vendor: 'acme' },
      7,
    ])
    const { exitCode, stdout, stderr } = await run([...publish, file])
    expect([exitCode, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^Error: Nothing was published\.\n/)
    for (const line of [
      'change 2: severity:',
      'change 2: title:',
      'change 2: impact_score:',
      'change 2: verified_at:',
      'change 3: vendr is not a field of a change',
      'change 3: access is assigned when the change is published; leave it out',
      'change 3: updated_at is assigned',
      'change 3: view_count is assigned',
      'change 4: alternatives.0.migration_effort:',
      'change 5: product:',
      'change 5: summary:',
      'change 6: it:',
    ]) {
      expect(stderr).toContain(line)
    }
    expect(stderr).not.toContain('change 1:')
    expect(await runJson(['changes', 'list'])).toEqual(before)
  })

  test('an id twice in the file or published before is refused by name', async () => {
    const twice = await fileWith('twice.json', [changeFile({ id: 'twin' }), changeFile({ id: 'twin' })])
    expect(await run([...publish, twice])).toEqual(failed(/id "twin" stands in the file more than once/))
    const once = await fileWith('once.json', changeFile({ id: 'known' }))
    await runJson([...publish, once])
    const again = await fileWith('again.json', [changeFile({ id: 'new' }), changeFile({ id: 'known' })])
    expect(await run([...publish, again])).toEqual(failed(/This id is published already: "known"/))
    const { rows } = (await runJson(['changes', 'list'])) as { rows: { id: string }[] }
    const ids = rows.map(({ id }) => id)
    expect(ids).toContain('known')
    expect(ids).not.toContain('new')
    expect(ids).not.toContain('twin')
  })

  test('what is no file of changes is refused with a reason', async () => {
    const empty = await fileWith('empty.json', [])
    expect(await run([...publish, empty])).toEqual(failed(/holds no change/))
    await writeFile(join(folder, 'broken.json'), '{"vendor":')
    expect(await run([...publish, join(folder, 'broken.json')])).toEqual(failed(/is not valid JSON/))
    expect(await run([...publish, folder])).toEqual(failed(/Cannot read .*: it is a folder/))
    expect(await run([...publish, '/none.json'])).toEqual(failed(/there is no such file/))
  })
})

const alternative = {
  product_id: 'acme/beta',
  product_name: 'Beta',
  vendor: 'acme',
  migration_effort: 'low',
  rank: 1,
}
