import { execFile } from 'node:child_process'
import { chmod, chown, lstat, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { UserError } from '../platform/user-error.ts'

// The owner of the embedded database's files. PostgreSQL does not run as root, so root runs it as a user that has no
// other purpose: a process of `nobody` or `postgres` belongs to another service. That user owns the cluster's files
// alone. The folder, with the passwords and keys in it, stays root's: an intruder in the database cannot exchange them.

const run = promisify(execFile)

/** A user of the system, by numbers. */
export interface Account {
  uid: number
  gid: number
}

const accountName = 'ratecard'
/** Users that many services share. */
const sharedNames = ['nobody', 'postgres']

// The commands of Debian and Red Hat, and of Alpine.
const makers: [string, string[]][] = [
  [
    'useradd',
    ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent', '--shell', '/bin/false'],
  ],
  ['adduser', ['-S', '-D', '-H', '-h', '/nonexistent', '-s', '/bin/false']],
]
const attempts = 10
const retryMs = 100

/** The user for the database, made when root first needs it. Where it cannot be made, `postgres`. */
export async function databaseAccount(): Promise<Account> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const account = await findAccount(accountName)
    if (account) return account
    for (const [program, options] of makers) {
      const made = await run(program, [...options, accountName]).then(
        () => true,
        () => false,
      )
      if (made) break
    }
    // Another process may be making it at this moment, and holds the file of users.
    if (!(await findAccount(accountName))) await setTimeout(retryMs)
  }
  const account = await findAccount('postgres')
  if (account) return account
  throw new UserError(
    `PostgreSQL does not run as root, and a user "${accountName}" to run it could not be made. Make one, start Ratecard as another user than root, or set DATABASE_URL.`,
  )
}

async function findAccount(name: string): Promise<Account | null> {
  try {
    const [uid, gid] = await Promise.all(
      ['-u', '-g'].map(async (flag) => Number((await run('id', [flag, name])).stdout)),
    )
    return uid && gid ? { uid, gid } : null
  } catch {
    return null
  }
}

export async function findOwner(path: string): Promise<Account | null> {
  return stat(path).then(
    ({ uid, gid }) => ({ uid, gid }),
    () => null,
  )
}

/**
 * The ordinary user who owns an installation, by the first start of Ratecard in that folder; null: the folder is new,
 * or root's. Root leaves such an installation to that user.
 */
export async function findOrdinaryOwner(dataDir: string): Promise<Account | null> {
  const owner = await findOwner(join(dataDir, 'postgres'))
  if (!owner || owner.uid === 0) return null
  const others = await Promise.all([accountName, ...sharedNames].map(findAccount))
  return others.some((account) => account?.uid === owner.uid) ? null : owner
}

const cluster = 'postgres'
const log = 'postgres.log'
/** Files that only root may read or change. */
const secretFiles = ['password', 'owner-password', 'server-password', 'secrets-key']
const ours = new Set([cluster, log, 'users', 'lock', ...secretFiles])

/** Sets the owners of the files before the database starts: of new files, and of those that an earlier release left. */
export async function ownFiles(
  dataDir: string,
  account: Account,
  say: (text: string) => void,
): Promise<void> {
  // First of all: from here on no other user can exchange what is in it.
  await restrictFolder(dataDir, { uid: 0, gid: account.gid }, 0o710)
  for (const name of secretFiles) await restrictFile(join(dataDir, name), { uid: 0, gid: 0 })
  const logFile = join(dataDir, log)
  await writeFile(logFile, '', { flag: 'wx', mode: 0o600 }).catch(ignoreExisting)
  await restrictFile(logFile, account)

  const pgdata = join(dataDir, cluster)
  const owner = await findOwner(pgdata)
  if (!owner || owner.uid === account.uid) return
  // Links in it get the owner themselves, not their targets.
  await run('chown', ['-R', '-h', `${account.uid}:${account.gid}`, pgdata])
  if (owner.uid === 0) return
  const { stdout: before } = await run('id', ['-un', String(owner.uid)]).catch(() => ({
    stdout: String(owner.uid),
  }))
  say(
    `${dataDir} was the user ${before.trim()}'s, with the passwords in it. Now it is root's, and the database in it that of a user for nothing else.`,
  )
}

/** The same for an ordinary user: only that user may enter the folder. */
export async function restrictOwnFolder(dataDir: string): Promise<void> {
  await restrictFolder(dataDir, null, 0o700)
}

/** Leaves a folder alone that holds other things too: it is not ours to close. */
async function restrictFolder(folder: string, owner: Account | null, mode: number): Promise<void> {
  const { uid, mode: now } = await stat(folder)
  const isOurs = (await readdir(folder)).every((name) => ours.has(name))
  const wasDatabases = uid !== 0 && owner !== null
  if (owner && (isOurs || wasDatabases)) await chown(folder, owner.uid, owner.gid)
  if (isOurs && (now & 0o777) !== mode) await chmod(folder, mode)
}

async function restrictFile(path: string, owner: Account): Promise<void> {
  const stats = await lstat(path).catch(() => null)
  if (!stats) return
  if (!stats.isFile() || stats.nlink > 1) {
    throw new UserError(
      `${path} is not a plain file, though Ratecard made one. Somebody put something else in its place: look at it before you start again.`,
    )
  }
  await chown(path, owner.uid, owner.gid)
  await chmod(path, 0o600)
}

function ignoreExisting(error: unknown): void {
  if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
}
