import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { apiReports } from './packages/api-report.ts'
import { contents, type Budget } from './packages/contents.ts'
import { definitionsEndInSource } from './packages/definitions.ts'
import { print } from './packages/findings.ts'
import { typesWithoutDom } from './packages/no-dom.ts'
import { packAll } from './packages/published.ts'
import { manifestIsSound, typesResolve } from './packages/resolution.ts'
import { bundleSizes } from './packages/sizes.ts'
import { uncaughtErrors } from './packages/uncaught.ts'

// Builds and packs the published packages and holds the tarballs to what we promise of them.
// With --update the kept API reports become those of now.

/** A third of each is its source, to which maps and "go to definition" lead. */
const budgets: Record<string, Budget> = {
  // The shipped list of prices is in it twice, as ESM and as CommonJS, and not as the text that both are built of. Each of
  // its ten entries is eight files, and what entries share is a file of either format.
  cost: { filesMax: 205, unpackedBytesMax: 2_500_000 },
  // A program with all it needs, so that npx gets one package: the shipped list, zod, ajv and the official MCP library.
  mcp: { filesMax: 8, unpackedBytesMax: 2_000_000 },
  sdk: { filesMax: 75, unpackedBytesMax: 525_000 },
  webhooks: { filesMax: 135, unpackedBytesMax: 200_000 },
}

const { values } = parseArgs({ options: { update: { type: 'boolean', default: false } } })
const folder = await mkdtemp(join(tmpdir(), 'ratecard-packages-'))
try {
  const packages = await packAll(folder)
  const findings = [await bundleSizes()]
  for (const one of packages) {
    findings.push(
      ...(await contents(one, budgets[basename(one.source)])),
      await typesResolve(one),
      await manifestIsSound(one),
      typesWithoutDom(one, folder),
      await apiReports(one, values.update),
    )
  }
  findings.push(await definitionsEndInSource(folder), ...(await uncaughtErrors(folder)))
  print(findings)
  if (findings.some(({ problem }) => problem !== undefined)) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
