import { alias, rate, record, snapshotOf } from '../support.ts'

// The prices of the world that makes the bills: in 10^-12 USD for a token, and in 10^-12 USD for a search. Written by hand
// beside the records, so that the workings of one are not those of the other.

export interface Rates {
  input: bigint
  cached: bigint
  output: bigint
  write?: bigint
  writeHour?: bigint
}

const usd = (perMillion: number) => BigInt(Math.round(perMillion * 1_000_000))
export const search = 10_000_000_000n

export const prices: Readonly<Record<string, Rates>> = {
  'gpt-5-mini-2025-08-07': { input: usd(0.25), cached: usd(0.025), output: usd(2) },
  'gpt-4o-2024-08-06': { input: usd(2.5), cached: usd(1.25), output: usd(10) },
  'o3-2025-04-16': { input: usd(2), cached: usd(0.5), output: usd(8) },
  'text-embedding-3-small': { input: usd(0.02), cached: 0n, output: 0n },
  'claude-sonnet-4-6': {
    input: usd(3),
    cached: usd(0.3),
    output: usd(15),
    write: usd(3.75),
    writeHour: usd(6),
  },
  'claude-haiku-4-5-20251001': {
    input: usd(1),
    cached: usd(0.1),
    output: usd(5),
    write: usd(1.25),
    writeHour: usd(2),
  },
}
/** Before 2025-06-10. */
export const o3Before: Rates = { input: usd(10), cached: usd(2.5), output: usd(40) }
export const o3Day = '2025-06-10'

const columns = (input: string, cached: string | null, output: string | null) => ({
  input_per_mtok: input,
  cached_input_per_mtok: cached,
  output_per_mtok: output,
})
const others = { image_per_unit: null, audio_per_min: null, video_per_sec: null }
const half = rate('price_multiplier', '0.5', { unit: 'multiplier', variant: 'batch' })
const flex = rate('price_multiplier', '0.5', { unit: 'multiplier', variant: 'flex' })
const twice = rate('price_multiplier', '2', { unit: 'multiplier', variant: 'priority' })
const us = rate('price_multiplier', '1.1', { unit: 'multiplier', variant: 'us' })
const openAi = [half, flex, twice, rate('searches', '0.01')]
const ofBatch = { service_tier: 'batch' }
const claude = (
  write: string,
  hour: string,
  batch: readonly [input: string, cached: string, output: string, write: string, hour: string],
) => [
  ...[us, rate('searches', '0.01')],
  ...[rate('cache_write_tokens', write), rate('cache_write_tokens', hour, { variant: '1h' })],
  ...[rate('input_tokens', batch[0], ofBatch), rate('cached_input_tokens', batch[1], ofBatch)],
  ...[rate('output_tokens', batch[2], ofBatch), rate('cache_write_tokens', batch[3], ofBatch)],
  rate('cache_write_tokens', batch[4], { ...ofBatch, variant: '1h' }),
]

export const snapshot = snapshotOf([
  record({
    resource_id: 'openai:gpt-5-mini',
    ...columns('0.25', '0.025', '2'),
    rates: openAi,
    aliases: [alias('gpt-5-mini-2025-08-07')],
  }),
  record({ resource_id: 'openai:gpt-4o-2024-08-06', ...columns('2.5', '1.25', '10'), rates: openAi }),
  record({
    ...{ resource_id: 'openai:o3-2025-04-16', ...columns('2', '0.5', '8'), rates: openAi },
    past: [{ ended_on: o3Day, ...columns('10', '2.5', '40'), ...others, rates: openAi }],
  }),
  record({ resource_id: 'openai:text-embedding-3-small', ...columns('0.02', null, null), rates: [half] }),
  record({
    resource_id: 'anthropic:claude-sonnet-4-6',
    ...columns('3', '0.3', '15'),
    rates: claude('3.75', '6', ['1.5', '0.15', '7.5', '1.875', '3']),
  }),
  record({
    resource_id: 'anthropic:claude-haiku-4-5-20251001',
    ...columns('1', '0.1', '5'),
    rates: claude('1.25', '2', ['0.5', '0.05', '2.5', '0.625', '1']),
  }),
])
