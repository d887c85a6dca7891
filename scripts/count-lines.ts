import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { parseArgs } from 'node:util'

// Prints how many lines of each kind the files of git have: `node scripts/count-lines.ts [--max LINES]`.
// With `--max` it fails where the product has more: size is a budget, and whoever needs more raises it in a commit.

const code = /\.(?:ts|tsx|js|mjs|cjs|css|sql|sh|html)$/

/** The first kind whose pattern fits a file's path is its kind. */
const kinds: readonly [kind: string, path: RegExp][] = [
  ['generated', /(?:^|\/)generated\//],
  ['tests', /(?:^|\/)(?:test|proofs|e2e|fixtures)\/|\.test\.tsx?$/],
  ['bench', /^bench\//],
  ['scripts', /(?:^|\/)scripts\//],
  ['product', code],
]

const files = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' }).split('\0')
const counts = new Map<string, number>()
for (const file of files) {
  const isYaml = /\.ya?ml$/.test(file) && basename(file) !== 'pnpm-lock.yaml'
  if (!code.test(file) && !isYaml) continue
  const [found] = kinds.find(([, path]) => path.test(file)) ?? ['YAML']
  const kind = isYaml && found !== 'generated' ? 'YAML' : found
  const lines = readFileSync(file, 'utf8').split('\n').length - 1
  counts.set(kind, (counts.get(kind) ?? 0) + lines)
}
for (const [kind] of [...kinds, ['YAML'] as const]) {
  console.log(`${kind.padEnd(10)}${(counts.get(kind) ?? 0).toLocaleString('en-US').padStart(9)}`)
}

const { max } = parseArgs({ options: { max: { type: 'string' } } }).values
const product = counts.get('product') ?? 0
if (max !== undefined && product > Number(max)) {
  console.error(
    `The product has ${product} lines of code, and ${max} are allowed. Delete ${product - Number(max)}, or raise the limit in .ci/run and say why in the commit.`,
  )
  process.exitCode = 1
}
