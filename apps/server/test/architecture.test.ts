import { glob, readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

// The rules of docs/architecture.md, on the import lines of every file.

const src = fileURLToPath(new URL('../src', import.meta.url))
const files = (await readdir(src, { recursive: true }))
  .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  .map((file) => file.split(sep).join('/'))

interface ImportLine {
  file: string
  /** A file of ours relative to `src`, or the name of a package. */
  target: string
}

// Static imports, and those that are loaded on demand.
const importPattern = /^(?:import|export)\b[^'"]*?from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)/gm

const imports: ImportLine[] = (
  await Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(src, file), 'utf8')
      return [...text.matchAll(importPattern)].map((match) => {
        const path = match[1] ?? match[2] ?? match[3] ?? ''
        const target = path.startsWith('.')
          ? relative(src, join(src, dirname(file), path))
              .split(sep)
              .join('/')
          : path
        return { file, target }
      })
    }),
  )
).flat()

const texts = await Promise.all(
  files.map(async (file) => ({ file, text: await readFile(join(src, file), 'utf8') })),
)
const filesThat = (holds: (text: string, file: string) => boolean) =>
  texts.filter(({ file, text }) => holds(text, file)).map(({ file }) => file)

/** The first folder, or the file where there is none: `http/server.ts` is in `http`. */
const areaOf = (path: string) => path.split('/')[0] ?? ''

/** The folders that each folder may import, besides itself. */
const allowed: Record<string, string[]> = {
  bin: ['commands', 'platform'],
  commands: [
    // Loaded on demand.
    'process',
    'app.ts',
    'alert-queue.ts',
    'backup',
    'schema.ts',
    'database-server.ts',
    'drift',
    'exports',
    'snapshot',
    'catalog',
    'ingest',
    'features',
    'queue',
    'database',
    'platform',
  ],
  process: [
    'app.ts',
    'alert-queue.ts',
    'schema.ts',
    'database-server.ts',
    'http',
    'jobs',
    'exports',
    'ingest',
    'catalog',
    'features',
    'queue',
    'database',
    'platform',
  ],
  'app.ts': ['database-server.ts', 'http', 'ingest', 'features', 'database', 'platform'],
  'alert-queue.ts': ['database-server.ts', 'features', 'queue', 'platform'],
  'schema.ts': ['database-server.ts', 'queue', 'database', 'platform'],
  'database-server.ts': ['features', 'database', 'platform'],
  http: ['catalog', 'ingest', 'threads', 'features', 'database', 'platform'],
  jobs: ['exports', 'ingest', 'features', 'queue', 'database', 'platform'],
  drift: ['snapshot', 'ingest', 'catalog', 'features', 'database', 'platform'],
  exports: ['snapshot', 'catalog', 'ingest', 'threads', 'features', 'database', 'platform'],
  snapshot: ['catalog', 'ingest', 'threads', 'features', 'database', 'platform'],
  ingest: ['threads', 'catalog', 'features', 'queue', 'database', 'platform'],
  threads: ['catalog', 'features', 'database', 'platform'],
  features: ['catalog', 'queue', 'database', 'platform'],
  catalog: ['database', 'platform'],
  backup: ['features', 'queue', 'database', 'platform'],
  queue: ['database', 'platform'],
  database: ['platform'],
  platform: [],
}

/** The folders of an area: each may import those before it, and all of them the files that stand beside them. */
const orders: Record<string, string[]> = {
  features: [
    ...['audit', 'accounts', 'members', 'entitlements', 'metering', 'billing'],
    ...['price-reports', 'changes', 'webhooks', 'watching', 'notices', 'deletion', 'cells'],
  ],
  ingest: ['match', 'sources', 'claims', 'judge', 'changes', 'publish', 'run', 'review'],
}

/** Folders of one area that import each other. A new pair is a knot; one that was cut leaves the list, for good. */
const twoWay = [
  'http <-> http/html',
  'http/contract <-> http/pipeline',
  'http/dashboard <-> http/dashboard/operations',
  'http/dashboard <-> http/pipeline',
  'http/html <-> http/html/pictures',
  'http/html <-> http/html/reference',
  'http/lists <-> http/pipeline',
  'http/operations <-> http/pipeline',
  'platform <-> platform/settings',
]

/** Rules: values in, decision out. */
const ruleFiles = [
  'ingest/amounts.ts',
  'ingest/changes/draft-changes.ts',
  'ingest/changes/decide.ts',
  'ingest/changes/decide-run.ts',
  'ingest/changes/decide-schedules.ts',
  'ingest/claims/doubts.ts',
  'ingest/judge/elect.ts',
  'ingest/judge/judge-all.ts',
  'ingest/claims/take-reading.ts',
  'ingest/match/linking.ts',
  'ingest/review/outvoted.ts',
  'ingest/policy.ts',
  'ingest/match/precedence.ts',
  'ingest/match/look-alikes.ts',
  'ingest/match/plain-id.ts',
  'ingest/changes/wording/index.ts',
  'features/accounts/api-key.ts',
  'features/billing/provider.ts',
  'features/cells/names.ts',
  'features/cells/routes.ts',
  'features/billing/stripe-event.ts',
  'features/billing/stripe-terms.ts',
  'features/changes/change-access.ts',
  'features/changes/change-input.ts',
  'features/entitlements/plans.ts',
  'features/metering/rate-limit.ts',
  'features/metering/usage-csv.ts',
  'features/metering/usage-span.ts',
  'features/notices/mail-layout.ts',
  'features/notices/notice.ts',
  'features/notices/plain-text.ts',
  'features/notices/words.ts',
  'catalog/decimal.ts',
  'catalog/price-record.ts',
  'features/webhooks/retry-policy.ts',
  'features/webhooks/secret-box.ts',
  'features/webhooks/signature.ts',
]

const offences = (isOffence: (line: ImportLine) => boolean) =>
  imports.filter(isOffence).map(({ file, target }) => `${file} imports ${target}`)

describe('imports', () => {
  it('knows every area', () => {
    expect([...new Set(files.map(areaOf))].sort()).toEqual(Object.keys(allowed).sort())
  })

  it('go down only, and entrances do not import each other', () => {
    const areas = new Set(Object.keys(allowed))
    expect(
      offences(({ file, target }) => {
        const [from, to] = [areaOf(file), areaOf(target)]
        return areas.has(to) && from !== to && !allowed[from]?.includes(to)
      }),
    ).toEqual([])
  })

  it('between folders of an area go one way, but for those that never did', () => {
    const streets = new Set(imports.map(({ file, target }) => `${dirname(file)} <-> ${dirname(target)}`))
    const found = [...streets].filter((street) => {
      const [from = '', to = ''] = street.split(' <-> ')
      return from < to && areaOf(from) === areaOf(to) && streets.has(`${to} <-> ${from}`)
    })
    expect(found.sort()).toEqual(twoWay)
  })

  it.each(Object.entries(orders))('of folders of %s lead to those before them', (area, order) => {
    const folderOf = (path: string) => (areaOf(path) === area ? path.split('/').slice(1, -1)[0] : undefined)
    const rank = (path: string) => order.indexOf(folderOf(path) ?? '')
    expect([...new Set(files.flatMap((file) => folderOf(file) ?? []))].sort()).toEqual(order.toSorted())
    expect(
      offences(
        ({ file, target }) => areaOf(file) === area && areaOf(target) === area && rank(target) > rank(file),
      ),
    ).toEqual([])
  })

  it('of rule files lead to no database, clock or environment', () => {
    const isForbidden = (target: string) =>
      /^(database|platform\/(clock|config|logger))|^(kysely|pg|express)$/.test(target)
    const typeOnly = new Set(['features/changes/change-access.ts'])
    expect(ruleFiles.filter((file) => !files.includes(file))).toEqual([])
    expect(
      offences(({ file, target }) => ruleFiles.includes(file) && !typeOnly.has(file) && isForbidden(target)),
    ).toEqual([])
  })
})

describe('actions', () => {
  it('are noted in the audit log by features, whichever entrance they come by', () => {
    const noting = filesThat((text) => text.includes('insertAuditEntry'))
    expect(noting.length).toBeGreaterThan(0)
    expect(noting.filter((file) => areaOf(file) !== 'features')).toEqual([])
  })

  it('are refused without the words of the command line, which are below commands/ alone', () => {
    const prose =
      /^(?! *(?:\/\/|\*|\/\*)).*(?:ratecard (?:accounts|changes|deliveries|feed|keys|prices|subscriptions|webhooks)|--[a-z])/m
    const isBelow = (file: string) => ['features', 'ingest'].includes(areaOf(file))
    expect(filesThat((text, file) => isBelow(file) && prose.test(text))).toEqual([])
  })

  it('and events of webhooks are named by the contract alone', () => {
    // What an old state told of does not follow the contract of today.
    expect(filesThat((text) => text.includes("'change.alert'"))).toEqual(['database/earlier-states.ts'])
  })
})

describe('sources', () => {
  it('read the environment in platform/config.ts only, and the clock not in rules', () => {
    const readers = filesThat((text) => /process\.env\b/.test(text))
    expect(readers.filter((file) => file !== 'platform/config.ts')).toEqual([])
    const readsClock = /Date\.now\(|new Date\(\)/
    expect(filesThat((text, file) => ruleFiles.includes(file) && readsClock.test(text))).toEqual([])
  })

  it('name the account in every query of a webhook', async () => {
    const text = await readFile(join(src, 'features/webhooks/webhook-store.ts'), 'utf8')
    const queries = text.split(/(?=\.(?:selectFrom|deleteFrom|updateTable|insertInto)\()/).slice(1)
    expect(queries.length).toBeGreaterThan(0)
    expect(queries.filter((query) => !query.includes('account_id'))).toEqual([])
  })
})

describe('functions', () => {
  it('are called after what they do, not after what they return', async () => {
    const declared =
      /\b(?:function\*? |(?:const|let) (?=\w+Of.* =\s*(?:async )?(?:<[^>]*>)?(?:\(|\w+ =>)))(\w+Of(?:[A-Z]\w*)?)\b/g
    const verbs = /^(?:allow|check|count|delete|drop|find|is|list|read|revoke|warn)[A-Z]/
    const isPublic = (name: string) => ['costOf', 'sumOf'].includes(name)
    const repository = fileURLToPath(new URL('../../../', import.meta.url))
    const found: string[] = []
    for await (const file of glob('{apps,packages}/*/src/**/*.{ts,tsx,js}', { cwd: repository })) {
      if (/\/generated\/|\.test\./.test(file)) continue
      for (const [, name = ''] of (await readFile(join(repository, file), 'utf8')).matchAll(declared))
        if (!verbs.test(name) && !isPublic(name)) found.push(`${file} declares ${name}`)
    }
    expect(found).toEqual([])
  })
})
