import { alertBytesMax, buildAlerts, changesMax } from '@ratecard/contract/alert'

/** What a sample alert tells. */
type Sample = Parameters<typeof buildAlerts>[0][number]

const usual = {
  price_rise: ['openai/gpt-4o-mini costs more from December on', 'Input rises from 0.15 to 0.20 USD per million tokens.', 4],
  price_cut: ['openai/gpt-4o-mini: input 25 % cheaper', 'Input falls from 0.20 to 0.15 USD per million tokens.', 3],
  model_added: ['openai/gpt-4o-mini is sold', 'Input costs 0.15 USD and output 0.60 USD per million tokens.', 2],
  model_removed: ['openai/gpt-4o-mini is no longer sold', 'Its platform lists it no more.', 4],
  deprecation: ['openai/gpt-4o-mini ends in March', 'It answers until 2027-03-31.', 5],
  tier_change: ['openai/gpt-4o-mini: long prompts cost more', 'Above 200,000 tokens input costs 0.30 USD per million.', 3],
} as const // prettier-ignore

/** At the edges of what the service sends. */
const edges = ['hundred', 'large', 'unicode', 'test'] as const

export type SampleName = keyof typeof usual | (typeof edges)[number]

export const sampleNames: readonly SampleName[] = [
  ...(Object.keys(usual) as (keyof typeof usual)[]),
  ...edges,
]

export function isSample(name: string): name is SampleName {
  return (sampleNames as readonly string[]).includes(name)
}

/** The alert of a sample, with new ids each time: receivers leave out what they have handled. */
export function sampleAlert(name: SampleName, now: Date) {
  const run = now.getTime().toString(36)
  const changes = listSamples(name).map((change, index) => ({ ...change, id: `chg_sample_${run}_${index}` }))
  const [alert] = buildAlerts(changes, 'https://acme.example')
  if (alert === undefined) throw new Error(`Nobody is told of ${name}.`)
  return alert
}

function listSamples(name: SampleName): Sample[] {
  switch (name) {
    case 'hundred':
      return Array.from({ length: changesMax }, (_, index) => ({ ...usualSample('price_cut'), title: `Change ${index + 1} of ${changesMax}` })) // prettier-ignore
    case 'large': {
      // As many of the longest summaries as one delivery holds.
      const longest = { ...usualSample('deprecation'), summary: 'x'.repeat(4_000) }
      return Array.from({ length: Math.floor(alertBytesMax / 4_400) }, () => longest)
    }
    case 'unicode':
      return [
        {
          ...usualSample('price_cut'),
          product: '通义/qwen-最大',
          vendor: '通义',
          title: '“Qwen” – 25 % günstiger 🎉',
          summary: 'Zeilen\nund\tTabs, \\"Zitate\\", \u2028 und 👩‍👩‍👧: die Signatur gilt den Bytes.',
        },
      ]
    case 'test':
      return [usualSample('price_cut')]
    default:
      return [usualSample(name)]
  }
}

function usualSample(category: keyof typeof usual): Sample {
  const [title, summary, severity] = usual[category]
  return { id: '', vendor: 'openai', product: 'openai/gpt-4o-mini', category, title, summary, severity }
}
