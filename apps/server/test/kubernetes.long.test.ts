import { execFile } from 'node:child_process'
import { cp, glob, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { createProgram } from '../src/commands/index.ts'
import { readConfig, variables } from '../src/platform/config.ts'
import { packageRoot, projectRoot } from '../src/platform/paths.ts'
import { documentedConnections } from './support/guide.ts'

// deploy/kubernetes, without a cluster: by the published schemas, and by what the server knows.

interface Container {
  name: string
  args: string[]
  env?: { name: string; value: string }[]
  ports?: { name: string; containerPort: number }[]
  securityContext?: unknown
  volumeMounts: { name: string; mountPath: string }[]
  startupProbe?: Probe
  livenessProbe?: Probe
  readinessProbe?: Probe
}

interface Probe {
  httpGet: { path: string; port: string }
}

interface Manifest {
  apiVersion: string
  kind: string
  metadata: { name: string }
  spec: {
    replicas?: number
    maxReplicas?: number
    strategy?: { rollingUpdate: { maxSurge: number } }
    template: {
      metadata: { labels: Record<string, string> }
      spec: {
        containers: Container[]
        initContainers?: Container[]
        volumes: { name: string; configMap?: { optional?: boolean } }[]
        securityContext: unknown
      }
    }
  }
}

interface Kustomization {
  resources?: string[]
  configMapGenerator?: { literals: string[] }[]
  patches?: { patch: string }[]
}

const folder = join(projectRoot, 'deploy/kubernetes')
const read = async (file: string) => parse(await readFile(join(folder, file), 'utf8')) as Kustomization
const base = await read('base/kustomization.yaml')
const example = await read('example/kustomization.yaml')
const components = [await read('stripe/kustomization.yaml'), await read('smtp/kustomization.yaml')]
const manifests = (
  await Promise.all(
    (base.resources ?? []).map(async (file) =>
      parseAllDocuments(await readFile(join(folder, 'base', file), 'utf8')).map(
        (document) => document.toJS() as Manifest,
      ),
    ),
  )
).flat()
const pods = manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
const containersOf = ({ spec }: Manifest) => [
  ...(spec.template.spec.initContainers ?? []),
  ...spec.template.spec.containers,
]
const containers = pods.flatMap(containersOf)

it('has every manifest in the kustomization', async () => {
  const files: string[] = []
  for await (const file of glob('*.yaml', { cwd: join(folder, 'base') })) files.push(file)
  expect(files.sort()).toEqual([...(base.resources ?? []), 'kustomization.yaml'].sort())
  expect(manifests.length).toBeGreaterThan(7)
})

describe('manifests', () => {
  it.each(manifests.map((manifest) => [`${manifest.kind} ${manifest.metadata.name}`, manifest] as const))(
    '%s is as the published schema says',
    async (_name, { apiVersion, kind, ...rest }) => {
      const models = (await import(/* @vite-ignore */ `kubernetes-models/${apiVersion}/${kind}`)) as Record<
        string,
        new (manifest: unknown) => { validate: () => void }
      >
      const model = new models[kind]!({ apiVersion, kind, ...rest })
      expect(() => model.validate()).not.toThrow()
    },
  )

  // A schema lets in what it does not name, and a cluster ignores it: a misspelled probe would be none.
  it('have no field that Kubernetes does not know', () => {
    expect(unknownFields(manifests)).toEqual([])
    const misspelled = structuredClone(manifests)
    const [container] = misspelled.find(({ kind }) => kind === 'Deployment')!.spec.template.spec.containers
    Object.assign(container!, { readinesProbe: container!.readinessProbe })
    expect(unknownFields(misspelled).join()).toContain('readinesProbe')
  })

  it('start commands that the program has', () => {
    const commands = createProgram().commands
    for (const { args } of containers) {
      const command = commands.find((candidate) => candidate.name() === args[0])
      expect(command?.name()).toBe(args[0])
      const options = command?.options.map(({ long }) => long) ?? []
      expect(options).toEqual(expect.arrayContaining(args.slice(1)))
    }
  })

  it('name variables that the server reads, and each secret as a file', () => {
    const settings = literalsOf([base, example])
    expect(Object.keys(variables)).toEqual(expect.arrayContaining(settings.map(([name]) => name)))
    expect(() => readConfig(Object.fromEntries(settings))).not.toThrow()
    const patched = components.flatMap(({ patches = [] }) =>
      patches.flatMap(({ patch }) =>
        (parse(patch) as { value: { name: string; value: string } }[]).map(({ value }) => value),
      ),
    )
    const named = [...containers.flatMap(({ env = [] }) => env), ...patched]
    for (const { name, value } of named) {
      const variable = name.replace(/_FILE$/, '') as keyof typeof variables
      expect(name).toBe(`${variable}_FILE`)
      expect((variables[variable] as { secret?: true }).secret, name).toBe(true)
      expect(value).toMatch(/^\/run\/secrets\/ratecard(-owner)?\/[a-z-]+$/)
    }
    // Only what every installation has is needed to start.
    const needed = containers.flatMap(({ env = [] }) => env.map(({ name }) => name))
    expect([...new Set(needed)].sort()).toEqual([
      'DATABASE_OWNER_URL_FILE',
      'DATABASE_URL_FILE',
      'SECRETS_KEY_FILE',
    ])
    for (const [name] of settings)
      expect((variables[name as keyof typeof variables] as { secret?: true }).secret, name).toBeUndefined()
  })

  it('mount what they name, and write nowhere else than below /tmp', () => {
    for (const pod of pods) {
      const volumes = pod.spec.template.spec.volumes.map(({ name }) => name)
      expect(volumes).toContain('database-ca')
      const mounted = containersOf(pod).flatMap(({ volumeMounts }) => volumeMounts.map(({ name }) => name))
      expect(new Set(mounted)).toEqual(new Set(volumes))
      for (const { env = [], volumeMounts } of containersOf(pod)) {
        const folders = volumeMounts.map(({ mountPath }) => mountPath)
        for (const { value } of env) expect(folders).toContain(dirname(value))
      }
    }
    const maps = pods.flatMap(({ spec }) =>
      spec.template.spec.volumes.flatMap(({ configMap }) => configMap ?? []),
    )
    expect(maps.filter(({ optional }) => optional !== true)).toEqual([])
    // The owner's password is the migration's alone.
    const owning = containers.filter(({ env = [] }) => env.some(({ name }) => /OWNER/.test(name)))
    expect(owning.map(({ name }) => name)).toEqual(['migrate'])
  })

  it('run as nobody in particular, without rights', () => {
    for (const { spec } of pods) {
      expect(spec.template.spec).toMatchObject({
        automountServiceAccountToken: false,
        securityContext: {
          runAsNonRoot: true,
          runAsUser: expect.any(Number) as number,
          seccompProfile: { type: 'RuntimeDefault' },
        },
      })
    }
    for (const { securityContext } of containers) {
      expect(securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
    }
  })

  it('see a server leave before it is gone, and believe few addresses about where requests come from', () => {
    const settings = readSettings([base, example])
    expect(settings.DRAIN_DELAY).toBe(5_000)
    expect(readSettings([base]).DRAIN_DELAY).toBe(5_000)
    for (const range of settings.TRUSTED_PROXIES)
      expect(Number(range.split('/')[1])).toBeGreaterThanOrEqual(28)
  })

  it('start a pod of a release when its migration is done', () => {
    for (const { kind, spec } of pods) {
      const first = spec.template.spec.initContainers?.map(({ args }) => args)
      expect(first).toEqual(kind === 'Job' ? undefined : [['migrate', '--wait']])
    }
  })

  it('hold no more connections at their largest than the README says, and that is within max_connections', async () => {
    const pools = readSettings([base, example])
    const of = (name: string) =>
      manifests.find((one) => one.metadata.name === name && one.kind !== 'Service')!.spec
    const surge = (name: string) =>
      manifests.find((one) => one.kind === 'Deployment' && one.metadata.name === name)!.spec.strategy!
        .rollingUpdate.maxSurge
    const { maxReplicas } = manifests.find(({ kind }) => kind === 'HorizontalPodAutoscaler')!.spec
    const counts = {
      servers: maxReplicas! + surge('ratecard-server'),
      perServer: await documentedConnections('serve --no-worker', pools),
      workers: of('ratecard-worker').replicas! + surge('ratecard-worker'),
      perWorker: await documentedConnections('worker', pools),
      migration: await documentedConnections('any other command', pools),
    }
    const { servers, perServer, workers, perWorker, migration } = counts
    const sum = servers * perServer + workers * perWorker + migration
    const text = await readFile(join(folder, 'README.md'), 'utf8')
    expect(text).toContain(
      `holds ${sum} connections of PostgreSQL: ${servers} servers (\`maxReplicas\` and one more) with ${perServer} each, ${workers} workers with ${perWorker} each, and ${migration} of the migration`,
    )
    const [, connectionsMax] = /max_connections = (\d+)/.exec(text) ?? []
    // superuser_reserved_connections
    expect(sum).toBeLessThanOrEqual(Number(connectionsMax) - 3)
  })

  it('ask the admin port whether they live and are ready, and listen where the server does', () => {
    const { PORT, ADMIN_PORT } = readConfig({})
    const serving = containers.filter(({ ports }) => ports)
    expect(serving.map(({ name }) => name)).toEqual(['server', 'worker'])
    for (const container of serving) {
      expect(container.ports?.find(({ name }) => name === 'admin')?.containerPort).toBe(ADMIN_PORT)
      expect(container.livenessProbe?.httpGet).toEqual({ path: '/live', port: 'admin' })
      expect(container.startupProbe?.httpGet).toEqual({ path: '/live', port: 'admin' })
      expect(container.readinessProbe?.httpGet).toEqual({ path: '/ready', port: 'admin' })
    }
    expect(serving[0]?.ports?.find(({ name }) => name === 'http')?.containerPort).toBe(PORT)
  })
})

const kubectl = await promisify(execFile)('kubectl', ['kustomize', '--help']).catch(() => null)
const reason = kubectl === null ? ' (skipped: kubectl is not installed)' : ''
it.skipIf(kubectl === null)(`kustomize builds the example, with Stripe too${reason}`, async () => {
  const copy = await mkdtemp(join(tmpdir(), 'ratecard-kustomize-'))
  onTestFinished(() => rm(copy, { recursive: true }))
  await cp(folder, copy, { recursive: true })
  const file = join(copy, 'example/kustomization.yaml')
  const text = await readFile(file, 'utf8')
  await writeFile(
    file,
    text.replace('  - ../smtp\n', '  - ../smtp\n  - ../stripe\n').replace('1.0.0', '2.3.4'),
  )
  const { stdout } = await promisify(execFile)('kubectl', ['kustomize', join(copy, 'example')])
  const built = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest)
  const kinds = [...manifests.map(({ kind }) => kind), 'ConfigMap']
  expect(built.map(({ kind }) => kind).sort()).toEqual(kinds.sort())
  expect(unknownFields(built)).toEqual([])
  const config = built.find(({ kind }) => kind === 'ConfigMap')
  for (const { spec } of built.filter(({ kind }) => kind === 'Deployment')) {
    // The policies find the pods by it.
    expect(spec.template.metadata.labels['app.kubernetes.io/part-of']).toBe('ratecard')
    expect(JSON.stringify(spec)).toContain(config!.metadata.name)
    expect(JSON.stringify(spec)).toContain('registry.example/ratecard:2.3.4')
  }
  // A job cannot be changed: the next release has another.
  expect(built.find(({ kind }) => kind === 'Job')?.metadata.name).toBe('ratecard-migrate-2.3.4')
  expect(stdout).toContain('name: STRIPE_WEBHOOK_SECRET_FILE')
  expect(stdout).toContain('name: SMTP_URL_FILE')
})

function literalsOf(of: readonly Kustomization[]): [string, string][] {
  const literals = of.flatMap(({ configMapGenerator = [] }) =>
    configMapGenerator.flatMap((map) => map.literals),
  )
  return literals.map((literal) => {
    const [name = '', ...value] = literal.split('=')
    return [name, value.join('=')]
  })
}

const readSettings = (of: readonly Kustomization[]) => readConfig(Object.fromEntries(literalsOf(of)))

/** By the types of Kubernetes: what is written out in place may have no property more. */
function unknownFields(of: readonly Manifest[]): string[] {
  const lines = of.map(
    ({ apiVersion, kind }, index) =>
      `import type { I${kind} as T${index} } from 'kubernetes-models/${apiVersion}/${kind}'`,
  )
  const values = of.map(
    (manifest, index) => `export const m${index}: T${index} = ${JSON.stringify(manifest)}`,
  )
  const name = join(packageRoot, 'test/manifests.ts')
  const text = [...lines, ...values].join('\n')
  const options: ts.CompilerOptions = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  }
  const host = ts.createCompilerHost(options)
  const files = ts.createCompilerHost(options)
  host.fileExists = (file) => file === name || files.fileExists(file)
  host.getSourceFile = (file, ...rest) =>
    file === name
      ? ts.createSourceFile(file, text, ts.ScriptTarget.ESNext)
      : files.getSourceFile(file, ...rest)
  const program = ts.createProgram([name], options, host)
  const diagnostics = program.getSemanticDiagnostics(program.getSourceFile(name))
  return diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}
