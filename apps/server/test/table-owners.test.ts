import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot } from '../src/platform/paths.ts'

// SQL is no import, so the architecture's arrows do not see it: here stands which folder owns which tables, and who else
// names each. A folder that needs what another one owns calls it. The lists may grow shorter, and nothing is added to them.

/** They read across the tables of all owners what pages and files show, and write nothing that is not theirs. */
const views = ['catalog', 'snapshot']

const owners: Record<string, Record<string, string[]>> = {
  database: {
    settings: ['features/cells', 'process'],
  },
  'features/accounts': {
    account_moves: ['features/members'],
    accounts: [
      'features/billing',
      'features/cells',
      'features/members',
      'features/metering',
      'features/notices',
    ],
    api_keys: ['features/audit', 'features/metering', 'features/notices'],
    moved_keys: [],
  },
  'features/audit': {
    audit_entries: ['features/notices'],
  },
  'features/billing': {
    billing_customers: [],
    payment_events: [],
  },
  'features/cells': {
    feed_pulse: ['features/notices'],
  },
  'features/changes': {
    change_alternatives: [],
    change_evidence: ['ingest'],
    changes: ['features/cells', 'features/notices', 'features/watching', 'features/webhooks', 'ingest'],
  },
  'features/entitlements': {
    current_subscriptions: ['features/webhooks'],
    subscriptions: ['features/notices'],
  },
  'features/members': {
    attempts: [],
    auth_credentials: [],
    auth_sessions: [],
    auth_two_factors: ['backup'],
    auth_users: ['database', 'features/notices'],
    auth_verifications: [],
    invitations: ['features/deletion'],
    mailed_links: [],
    members: ['features/deletion', 'features/notices', 'features/watching'],
    moved_users: [],
    passkeys: [],
  },
  'features/metering': {
    lost_commits: [],
    meter_batchers: [],
    packs: ['features/billing', 'features/notices'],
    request_counts: [],
    request_lines: [],
    usage_days: ['features/entitlements', 'features/notices'],
    usage_entries: ['features/accounts'],
    usage_ledger: [],
  },
  'features/notices': {
    followers: [],
    notice_progress: [],
    notice_settings: [],
    notices: ['backup'],
  },
  catalog: {
    export_files: [],
    list_versions: ['database', 'features/cells'],
    price_versions: ['ingest'],
    // That of `exports` is a table of this name in a file.
    prices: ['exports', 'features/cells', 'features/watching', 'features/webhooks', 'ingest'],
    rate_cards: [],
  },
  'features/price-reports': {
    price_reports: [],
  },
  'features/watching': {
    watches: ['features/notices'],
  },
  'features/webhooks': {
    alert_fanouts: ['features/cells'],
    alerts: [],
    announcements: ['features/cells'],
    deliveries: ['backup', 'features/notices'],
    delivery_attempts: [],
    delivery_exchanges: [],
    webhooks: ['backup', 'features/notices'],
  },
  ingest: {
    claim_versions: [],
    feed_claims: [],
    feed_holds: [],
    feed_runs: ['features/cells'],
    feed_sources: [],
    price_standings: [],
    review_mails: [],
    scheduled_prices: [],
    source_files: [],
  },
}

const sourceFolder = join(packageRoot, 'src')

/** The folders that name each table in a statement, by Kysely or as text. */
function findUsers(): Map<string, Set<string>> {
  const generated = readFileSync(join(sourceFolder, 'database/generated/tables.ts'), 'utf8')
  const tables = [...generated.slice(generated.indexOf('export interface DB')).matchAll(/^ {2}(\w+): \w+$/gm)]
  const names = tables.map(([, name = '']) => name).join('|')
  const named = new RegExp(
    `(?:From|Into|Table|[jJ]oin|from)\\(\\[?\\s*'(${names})\\b|\\b(?:from|join|into|update)\\s+(${names})\\b`,
    'g',
  )
  const users = new Map<string, Set<string>>()
  for (const file of readdirSync(sourceFolder, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts') || file.endsWith('.test.ts') || file.includes('generated/')) continue
    const text = readFileSync(join(sourceFolder, file), 'utf8').replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    const folder = file
      .split('/')
      .slice(0, file.startsWith('features/') ? 2 : 1)
      .join('/')
    for (const [, byKysely, asText] of text.matchAll(named)) {
      const table = byKysely ?? asText ?? ''
      users.set(table, (users.get(table) ?? new Set()).add(folder))
    }
  }
  return users
}

test('each table is named by the folder that owns it, and by those that always did', () => {
  const users = findUsers()
  const unowned = new Set(users.keys())
  const found = Object.entries(owners).map(([owner, tables]) => {
    const others = Object.keys(tables).map((table) => {
      unowned.delete(table)
      return [
        table,
        [...(users.get(table) ?? [])].filter((folder) => folder !== owner && !views.includes(folder)).sort(),
      ]
    })
    return [owner, Object.fromEntries(others)] as const
  })
  expect(Object.fromEntries(found)).toEqual(owners)
  expect([...unowned]).toEqual([])
})

test('the views write no table that is not theirs', () => {
  const theirs = Object.keys(owners.catalog ?? {}).join('|')
  const writes = new RegExp(
    `(?:insertInto|updateTable|deleteFrom)\\('(?!(?:${theirs})\\b)|\\b(?:insert into|delete from|update) (?!(?:${theirs}|set)\\b)\\w+ `,
  )
  const writers = views.flatMap((view) =>
    readdirSync(join(sourceFolder, view), { recursive: true, encoding: 'utf8' })
      .filter(
        (file) =>
          /(?<!\.test)\.ts$/.test(file) && writes.test(readFileSync(join(sourceFolder, view, file), 'utf8')),
      )
      .map((file) => `${view}/${file}`),
  )
  expect(writers).toEqual([])
})
