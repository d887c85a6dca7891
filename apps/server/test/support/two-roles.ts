import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { afterAll, beforeAll, inject } from 'vitest'
import { createDatabase, dropDatabase, urlOfDatabase } from './postgres.ts'

/** An empty database with the roles that "Production in ten lines" in docs/operations.md makes: one owns it, the other one serves. */
export function useTwoRoles() {
  const server = inject('postgresUrl')
  const suffix = randomBytes(4).toString('hex')
  const name = `ratecard_test_roles_${suffix}`
  const roles = { owner: `rc_owner_${suffix}`, serving: `rc_serving_${suffix}` }

  async function asSuperuser(...statements: string[]): Promise<void> {
    const client = new pg.Client({ connectionString: server })
    await client.connect()
    try {
      for (const statement of statements) await client.query(statement)
    } finally {
      await client.end()
    }
  }

  function urlAs(role: string): string {
    const url = new URL(urlOfDatabase(server, name))
    ;[url.username, url.password] = [role, 'test']
    return url.href
  }

  beforeAll(async () => {
    await asSuperuser(
      `create role ${roles.owner} login password 'test'`,
      `create role ${roles.serving} login password 'test'`,
    )
    await createDatabase(server, name)
    await asSuperuser(
      `alter database ${name} owner to ${roles.owner}`,
      `revoke temporary on database ${name} from public`,
    )
  })
  afterAll(async () => {
    await dropDatabase(server, name)
    await asSuperuser(`drop role ${roles.owner}`, `drop role ${roles.serving}`)
  })
  return { name, roles, urlAs }
}
