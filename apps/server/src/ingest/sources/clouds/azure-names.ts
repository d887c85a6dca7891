// Names of models as they stand in Azure's meters, by product, each whole, reviewed by hand: a name that is not here is
// not read. Written in lower case, with a blank where a meter has a hyphen or blanks. A meter is of all ids of its model:
// an id without a date stands beside the dated one where the model has one version.

/** Meters of tokens that go in and out. */
export const azureNames: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'Azure OpenAI': {
    'computer use': ['computer-use-preview'],
    'gpt 4.1': ['gpt-4.1', 'gpt-4.1-2025-04-14'],
    'gpt 4.1 mini': ['gpt-4.1-mini', 'gpt-4.1-mini-2025-04-14'],
    'gpt 4.1 nano': ['gpt-4.1-nano', 'gpt-4.1-nano-2025-04-14'],
    'gpt 4.5 0227': ['gpt-4.5-preview-2025-02-27'],
    'gpt 4o 0513': ['gpt-4o-2024-05-13'],
    'gpt 4o 0806': ['gpt-4o-2024-08-06'],
    'gpt 4o 1120': ['gpt-4o-2024-11-20'],
    'gpt 4o mini 0718': ['gpt-4o-mini', 'gpt-4o-mini-2024-07-18'],
    'o1 1217': ['o1', 'o1-2024-12-17'],
    'o1 mini': ['o1-mini', 'o1-mini-2024-09-12'],
    'o1 preview': ['o1-preview', 'o1-preview-2024-09-12'],
    'o1 pro': ['o1-pro', 'o1-pro-2025-03-19'],
    'o3 0416': ['o3', 'o3-2025-04-16'],
    'o3 mini 0131': ['o3-mini', 'o3-mini-2025-01-31'],
    'o3 pro': ['o3-pro', 'o3-pro-2025-06-10'],
  },
  'Azure OpenAI Reasoning': {
    'codex mini': ['codex-mini'],
    'o3 deep research 0626': ['o3-deep-research', 'o3-deep-research-2025-06-26'],
    'o4 mini 0416': ['o4-mini', 'o4-mini-2025-04-16'],
  },
  'Azure OpenAI GPT5': {
    'gpt 5 rsng': ['gpt-5', 'gpt-5-2025-08-07'],
    'gpt 5 mini': ['gpt-5-mini', 'gpt-5-mini-2025-08-07'],
    'gpt 5 nano': ['gpt-5-nano', 'gpt-5-nano-2025-08-07'],
    'gpt 5 chat': ['gpt-5-chat', 'gpt-5-chat-latest'],
    'gpt 5 codex': ['gpt-5-codex'],
    'gpt 5 pro': ['gpt-5-pro'],
    'gpt 5.1': ['gpt-5.1', 'gpt-5.1-2025-11-13'],
    '5.1': ['gpt-5.1', 'gpt-5.1-2025-11-13'],
    '5.1 codex': ['gpt-5.1-codex'],
    '5.4': ['gpt-5.4', 'gpt-5.4-2026-03-05'],
    '5.4 mini': ['gpt-5.4-mini', 'gpt-5.4-mini-2026-03-17'],
    '5.5': ['gpt-5.5'],
    '5.6 sol': ['gpt-5.6-sol'],
    '5.6 terra': ['gpt-5.6-terra'],
    '5.6 luna': ['gpt-5.6-luna'],
  },
  'Azure OpenAI GPT6': {
    '6 astra': ['gpt-6-astra'],
    '6 sol': ['gpt-6-sol'],
    '6.1 sol': ['gpt-6.1-sol'],
  },
  'Azure Deepseek Models': { 'v4 pro': ['DeepSeek-V4-Pro'] },
  'Azure Grok Models': { '4.3': ['grok-4.3'], '4.6': ['grok-4.6'] },
  'Azure OpenAI OSS models': { 'gpt oss 120b': ['gpt-oss-120b'] },
  'Deepseek model family': {
    'mai ds r1': ['MAI-DS-R1'],
    r1: ['DeepSeek-R1'],
    v3: ['DeepSeek-V3'],
    'v3 0324': ['DeepSeek-V3-0324'],
  },
  'Grok model family': { 'grok 3': ['grok-3'], 'grok 3 mini': ['grok-3-mini'], 'grok 4': ['grok-4'] },
  'Llama models': {
    'llama 3.3 70b': ['Llama-3.3-70B-Instruct'],
    'llama 4 maverick 17b': ['Llama-4-Maverick-17B-128E-Instruct-FP8'],
  },
  Phi: {
    'phi 3 medium 128k instruct': ['Phi-3-medium-128k-instruct'],
    'phi 3 medium 4k instruct': ['Phi-3-medium-4k-instruct'],
    'phi 3 mini 128k instruct': ['Phi-3-mini-128k-instruct'],
    'phi 3 mini 4k instruct': ['Phi-3-mini-4k-instruct'],
    'phi 3 small 128k instruct': ['Phi-3-small-128k-instruct'],
    'phi 3 small 8k instruct': ['Phi-3-small-8k-instruct'],
    'phi 3.5 moe instruct': ['Phi-3.5-MoE-instruct'],
    'phi 4': ['Phi-4'],
    'phi 4 mini': ['Phi-4-mini-instruct'],
    'phi 4 mini reasoning': ['Phi-4-mini-reasoning'],
    'phi 4 reasoning': ['Phi-4-reasoning'],
    'phi 4 reasoning plus': ['Phi-4-reasoning-plus'],
  },
}

/** Meters of models that only read: they name no side. */
export const azureEmbeddings: Readonly<Record<string, readonly string[]>> = {
  'embedding ada': ['text-embedding-ada-002'],
  'text embedding 3 large': ['text-embedding-3-large'],
  'text embedding 3 small': ['text-embedding-3-small'],
}

/** The region of a data zone, as other lists name it, by the region that a meter is of; elsewhere zones are not read. */
export const dataZones: readonly [regions: RegExp, zone: 'us' | 'eu'][] = [
  [/^(?:east|west|central|northcentral|southcentral|westcentral)us\d?$/, 'us'],
  [
    /^(?:francecentral|germanywestcentral|italynorth|northeurope|polandcentral|spaincentral|swedencentral|westeurope)$/,
    'eu',
  ],
]
