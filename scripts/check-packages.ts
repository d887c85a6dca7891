import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { apiReports } from './packages/api-report.ts'
import { contents } from './packages/contents.ts'
import { print } from './packages/findings.ts'
import { typesWithoutDom } from './packages/no-dom.ts'
import { packAll } from './packages/published.ts'
import { manifestIsSound, typesResolve } from './packages/resolution.ts'
import { bundleSizes } from './packages/sizes.ts'

// Builds and packs the published packages and holds the tarballs to what we promise of them.
// With --update the kept API reports become those of now.

const filesMax: Record<string, number> = { sdk: 40, webhooks: 70 }

const { values } = parseArgs({ options: { update: { type: 'boolean', default: false } } })
const folder = await mkdtemp(join(tmpdir(), 'ratecard-packages-'))
try {
  const packages = await packAll(folder)
  const findings = await bundleSizes(folder)
  for (const one of packages) {
    findings.push(
      ...(await contents(one, filesMax[basename(one.source)] ?? 0)),
      await typesResolve(one),
      await manifestIsSound(one),
      typesWithoutDom(one, folder),
      await apiReports(one, values.update),
    )
  }
  print(findings)
  if (findings.some(({ problem }) => problem !== undefined)) process.exitCode = 1
} finally {
  await rm(folder, { recursive: true, force: true })
}
