import { execFileSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createProgram } from '../src/commands/index.ts'
import { projectRoot } from '../src/platform/paths.ts'
import { goodCertificate } from './support/certificates.ts'
import { findProgram } from './support/proxy.ts'

// The files that an operator copies onto a machine without containers.

const folder = join(projectRoot, 'deploy/systemd')
const guide = await readFile(join(projectRoot, 'docs/operations.md'), 'utf8')

async function makeFolder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'ratecard-machine-'))
  onTestFinished(() => rm(made, { recursive: true, force: true }))
  return made
}

describe.each(await readdir(folder))('%s', async (name) => {
  const unit = await readFile(join(folder, name), 'utf8')
  const valueOf = (setting: string) => new RegExp(`^${setting}=(.*)$`, 'm').exec(unit)?.[1]

  it('runs what the guide runs', () => {
    const [command = '', ...words] = valueOf('ExecStart')?.split(' ') ?? []
    expect(command).toBe('/usr/bin/env')
    expect(guide).toContain(words.join(' '))
    const known = createProgram().commands.map((each) => each.name())
    expect(known).toContain(words[2])
    expect(guide).toContain(valueOf('EnvironmentFile'))
  })

  it('gives it the time that it needs to stop', () => {
    // DRAIN_DELAY behind a proxy, and the time after it.
    expect(parseInt(valueOf('TimeoutStopSec') ?? '', 10)).toBeGreaterThanOrEqual(5 + 15)
    expect(valueOf('Restart')).toBe('always')
  })

  it.skipIf(findProgram('systemd-analyze') === null)('is one that systemd understands', () => {
    execFileSync('systemd-analyze', ['verify', join(folder, name)], { stdio: 'pipe' })
  })
})

describe('docs/proxies/nginx.conf', () => {
  it.skipIf(findProgram('nginx') === null)('has TLS once "#tls " is taken away', async () => {
    const made = await makeFolder()
    const { key, cert } = goodCertificate
    await writeFile(join(made, 'certificate.pem'), cert)
    await writeFile(join(made, 'certificate-key.pem'), key)
    const text = await readFile(join(projectRoot, 'docs/proxies/nginx.conf'), 'utf8')
    const file = text
      .replaceAll('#tls ', '')
      .replaceAll('/etc/nginx/', `${made}/`)
      .replace('server server:8080', 'server 127.0.0.1:8080')
    await writeFile(join(made, 'nginx.conf'), `pid ${made}/nginx.pid;\n${file}`)
    const all = execFileSync(findProgram('nginx') ?? '', ['-T', '-q', '-c', join(made, 'nginx.conf')], {
      encoding: 'utf8',
      stdio: 'pipe',
    })
    expect(all).toMatch(/^ *listen 443 ssl;$/m)
  })
})
