import type { BuildOptions } from 'esbuild'
import type { Check } from 'size-limit'

/** A file of `dist` as a browser's bundler makes it: minified, then gzipped. */
function bundle(name: string, path: string, bytesMax: number, options: Partial<Check> = {}) {
  return {
    name,
    path: `../packages/${path}.js`,
    limit: `${bytesMax} B`,
    gzip: true,
    modifyEsbuildConfig: (config: BuildOptions): BuildOptions => ({ ...config, format: 'esm' }),
    ...options,
  }
}

export default [
  bundle('@ratecard/cost: its core', 'cost/dist/core', 10_240),
  bundle('@ratecard/cost: resolve', 'cost/dist/index', 4_352, { import: '{ resolve }' }),
  bundle("@ratecard/cost: OpenAI's reader", 'cost/dist/readers', 3_776, { import: '{ readOpenAI }' }),
  bundle('@ratecard/cost: middleware of the AI SDK, with the core', 'cost/dist/ai', 14_528),
  bundle('@ratecard/cost: span processor, with the core', 'cost/dist/opentelemetry', 13_632),
  bundle('@ratecard/cost: the check of an export', 'cost/dist/verify', 1_024),
  // What is imported on demand counts only where it is demanded.
  bundle('@ratecard/sdk: whole client', 'sdk/dist/index', 8_806, { ignore: ['./catalog-*'] }),
  bundle('@ratecard/sdk: client.catalog() on top of it', 'sdk/dist/catalog-*', 2_304, {
    ignore: ['./src-*'],
  }),
  bundle('@ratecard/sdk: an error class alone', 'sdk/dist/index', 3_072, { import: '{ RateLimitError }' }),
  bundle('@ratecard/webhooks: core', 'webhooks/dist/index', 2_816, { import: '{ verify }' }),
  bundle('@ratecard/webhooks: all of it', 'webhooks/dist/index', 3_456),
]
