import { isKnownMeter } from './portkey-meters.ts'
import { isPriceField, isUnderstood } from './litellm-fields.ts'
import type { FieldTable } from '../reading/unknown-fields.ts'

// The fields with prices that each importer reads, and those that it leaves out with the reason. `real-files.test.ts`
// holds the tables against the files as published: none of their fields is unknown.

export const litellmFields: FieldTable = {
  reads: (path) => {
    const [, field = ''] = /^(?:tiered_pricing\[\]\.)?([^.[\]]+)/.exec(path) ?? []
    return isPriceField(field) && isUnderstood(field)
  },
  ignored: [
    {
      path: /^tiered_pricing\[\]\.\w*range\[\]$/,
      reason: 'where a tier begins and ends: read as its threshold',
    },
    { path: /^regional_processing_uplift_multiplier_\w+$/, reason: 'read as a multiplier in the rate card' },
    { path: /^provider_specific_entry\./, reason: 'read as a multiplier in the rate card' },
    { path: /^max_\w+_per_\w+$/, reason: 'limits of a request' },
    { path: /^metadata\./, reason: 'notes for people: how a price was worked out' },
  ],
}

export const genaiPricesFields: FieldTable = {
  reads: (path) =>
    /^(?:price_variants\[\]\.)?prices(?:\[\]\.prices)?\.\w+_(?:mtok|kcount|hours|kpages|gpixels|mchars)(?:\.base|\.tiers\[\]\.(?:start|price))?$/.test(
      path,
    ) ||
    /^(?:price_variants\[\]\.)?prices\[\]\.constraint\.(?:type|start_date|start_time|end_time)$/.test(path) ||
    /^price_variants\[\]\.when\.(?:service_tier|speed|inference_geo)$/.test(path),
  ignored: [
    { path: /^price_comments/, reason: 'a sentence about the price' },
    { path: /^prices_checked$/, reason: 'the day of a check, which is no price: checked_on' },
  ],
  // Prices by a kind of request that is not known.
  always: /^price_\w+|^prices\[\]\.(?!prices\.)\w+(?:\.\w+)?/,
}

export const llmPricesFields: FieldTable = {
  reads: (path) => ['input', 'output', 'input_cached'].includes(path),
  ignored: [
    { path: /^(?:id|vendor|name)$/, reason: 'a name, which may look like a number' },
    { path: /^(?:from_date|to_date)$/, reason: 'the days of the period' },
  ],
  // The row has nothing but prices.
  priced: /^/,
}

export function modelsDevFields(names: readonly string[]): FieldTable {
  const known = new Set(names)
  return {
    reads: (path) => {
      const [, field] =
        /^(?:experimental\.modes\..+\.)?cost\.(?:tiers\[\]\.|context_over_200k\.)?(\w+)$/.exec(path) ?? []
      return field !== undefined && known.has(field)
    },
    ignored: [
      {
        path: /^(?:experimental\.modes\..+\.)?cost\.tiers\[\]\.tier\./,
        reason: 'where a tier begins: read as its threshold',
      },
    ],
  }
}

export function openrouterFields(names: readonly string[]): FieldTable {
  const known = new Set(names)
  return {
    reads: (path) => {
      const [, field] = /^pricing\.(?:overrides\[\]\.)?(\w+)$/.exec(path) ?? []
      return field !== undefined && known.has(field)
    },
    ignored: [
      { path: /^pricing\.overrides\[\]\.min_prompt_tokens$/, reason: 'read as the threshold of the tier' },
      { path: /^pricing\.(?:overrides\[\]\.)?discount$/, reason: 'a share, already taken off the prices' },
      { path: /^per_request_limits\./, reason: 'limits of a request, in tokens' },
      { path: /^benchmarks\./, reason: 'results of tests' },
    ],
  }
}

const portkeyConfig = String.raw`pricing_config\.(?:pay_as_you_go|batch_config|finetune_config|fixed_cost)`
const portkeyPrice = new RegExp(String.raw`(?:^|\.)${portkeyConfig}\.(?:additional_units\.)?(\w+)\.price$`)
const portkeyImage = new RegExp(String.raw`(?:^|\.)${portkeyConfig}\.image\.[^.]+\..+\.price$`)

export const portkeyFields: FieldTable = {
  reads: (path) => {
    const [, field] = portkeyPrice.exec(path) ?? []
    return (field !== undefined && isKnownMeter(field)) || portkeyImage.test(path)
  },
  ignored: [
    { path: /(?:^|\.)pricing_config\.calculate\./, reason: 'how a bill is added up: no price of its own' },
    {
      path: /\.additional_units\.input_image\.price$/,
      reason: 'in nine rows dollars an image, cents an image and cents a token: kept as it is written',
    },
  ],
}
