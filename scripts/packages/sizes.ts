import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type BuildResult } from 'esbuild'
import { atMost, type Finding } from './findings.ts'

interface Size {
  subject: string
  code: string
  bytesMax: number
}

// As a browser's bundler sees it: minified, then gzipped. What is imported on demand counts only where it is demanded.
const sizes: Size[] = [
  {
    subject: '@ratecard/cost: its core',
    code: `export * from '@ratecard/cost/core'`,
    bytesMax: 10_240,
  },
  { subject: '@ratecard/cost: resolve', code: `export { resolve } from '@ratecard/cost'`, bytesMax: 4_352 },
  {
    subject: "@ratecard/cost: OpenAI's reader",
    code: `export { readOpenAI } from '@ratecard/cost/readers'`,
    bytesMax: 3_776,
  },
  {
    subject: '@ratecard/cost: middleware of the AI SDK, with the core',
    code: `export * from '@ratecard/cost/ai'`,
    bytesMax: 14_528,
  },
  {
    subject: '@ratecard/cost: span processor, with the core',
    code: `export * from '@ratecard/cost/opentelemetry'`,
    bytesMax: 13_632,
  },
  {
    subject: '@ratecard/cost: the check of an export',
    code: `export * from '@ratecard/cost/verify'`,
    bytesMax: 1_024,
  },
  { subject: '@ratecard/sdk: whole client', code: `export * from '@ratecard/sdk'`, bytesMax: 8_806 },
  {
    subject: '@ratecard/sdk: client.catalog() on top of it',
    code: `import { Ratecard } from '@ratecard/sdk'; new Ratecard().catalog()`,
    bytesMax: 2_304,
  },
  {
    subject: '@ratecard/sdk: an error class alone',
    code: `export { RateLimitError } from '@ratecard/sdk'`,
    bytesMax: 3_072,
  },
  {
    subject: '@ratecard/webhooks: core',
    code: `export { verify } from '@ratecard/webhooks'`,
    bytesMax: 2_816,
  },
  { subject: '@ratecard/webhooks: all of it', code: `export * from '@ratecard/webhooks'`, bytesMax: 3_456 },
]

/** @param folder a folder with the packages in its `node_modules` */
export function bundleSizes(folder: string): Promise<Finding[]> {
  return Promise.all(
    sizes.map(async ({ subject, code, bytesMax }) => {
      const result = await build({
        stdin: { contents: code, resolveDir: folder },
        bundle: true,
        minify: true,
        format: 'esm',
        platform: 'browser',
        target: 'es2022',
        splitting: true,
        outdir: folder,
        metafile: true,
        write: false,
        logLevel: 'silent',
      })
      const bytes = loadedBytes(result, subject.includes('on top of it'))
      return atMost(`${subject}, gzipped`, bytes, bytesMax, 'bytes', 'Make it smaller.')
    }),
  )
}

/** Gzipped: what is loaded at once, or what comes on demand on top of it. */
function loadedBytes({ outputFiles = [], metafile }: BuildResult, isOnTop: boolean): number {
  const outputs = metafile?.outputs ?? {}
  const atOnce = new Set(Object.keys(outputs).filter((path) => outputs[path]?.entryPoint === '<stdin>'))
  for (const path of atOnce) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? [])
      if (kind === 'import-statement') atOnce.add(imported)
  }
  return outputFiles
    .filter(({ path }) => [...atOnce].some((one) => path.endsWith(basename(one))) !== isOnTop)
    .reduce((sum, { contents }) => sum + gzipSync(contents, { level: 9 }).byteLength, 0)
}
