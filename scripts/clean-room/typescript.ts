import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../packages/programs.ts'
import { openRoom, type Step } from './room.ts'

/** The oldest TypeScript that compiles against the packages; each newer major; the newest. */
const versions = ['4.7', '5.0', '5.9', '6', '7']

interface Setting {
  name: string
  options: Record<string, unknown>
  since: number
  until?: number
}

const resolutions: Setting[] = [
  { name: 'node16', options: { module: 'node16', moduleResolution: 'node16' }, since: 4.7 },
  { name: 'nodenext', options: { module: 'nodenext', moduleResolution: 'nodenext' }, since: 4.7 },
  { name: 'bundler', options: { module: 'esnext', moduleResolution: 'bundler' }, since: 5 },
  { name: 'node10', options: { module: 'commonjs', moduleResolution: 'node' }, since: 4.7, until: 6 },
]

const libraries: Setting[] = [
  { name: 'DOM', options: { lib: ['es2022', 'dom'], types: [] }, since: 4.7 },
  // The types of Node want a newer compiler than ours do.
  { name: 'Node', options: { lib: ['es2022'], types: ['node'] }, since: 5.9 },
]

const strictest = {
  target: 'es2022',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noPropertyAccessFromIndexSignature: true,
  skipLibCheck: false,
  noEmit: true,
}

export const typescriptStep: Step = {
  name: 'typescript',
  run: async (context) => {
    const install = [
      '@types/node@24',
      ...versions.map((version) => `typescript-${version}@npm:typescript@${version}`),
    ]
    const room = await openRoom(context, 'typescript', { install, files: ['typed.ts'] })
    // As CommonJS too, where `require` conditions hold.
    await cp(join(room, 'typed.ts'), join(room, 'typed.cts'))
    let compiled = 0
    for (const version of versions) {
      const compiler = join(room, `node_modules/typescript-${version}/bin/tsc`)
      const works = ({ since, until = Infinity }: Setting) =>
        Number(version) >= since && Number(version) < until
      for (const resolution of resolutions.filter(works)) {
        for (const library of libraries.filter(works)) {
          const folder = join(room, `${version}-${resolution.name}-${library.name}`)
          await mkdir(folder)
          const project = {
            compilerOptions: { ...strictest, ...resolution.options, ...library.options },
            files: resolution.name === 'bundler' ? ['../typed.ts'] : ['../typed.ts', '../typed.cts'],
          }
          await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(project))
          await run(process.execPath, [compiler, '-p', folder], { cwd: room })
          compiled += 1
        }
      }
    }
    return `TypeScript ${versions.join(', ')}: ${compiled} projects compile`
  },
}
