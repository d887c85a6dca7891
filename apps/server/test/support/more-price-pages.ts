/** More price pages of our own making in the forms that sellers use, each with all that its reader knows. */

const googleTable = (rows: readonly (readonly [label: string, paid: string])[]) =>
  [
    '|  | Free Tier | Paid Tier, per 1M tokens in USD |',
    '| --- | --- | --- |',
    ...rows.map(([label, paid]) => `| ${label} | Free of charge | ${paid} |`),
    '| Grounding with Google Search* | Not available | 5,000 prompts per month (free), then $14 / 1,000 queries |',
    '| Used to improve our products | [Yes](/terms) | [No](/terms) |',
    '',
  ].join('\n')
const tabs = (...names: string[]) =>
  `${names.map((name) => `[${name}](/pricing#${name.toLowerCase()})`).join('')}More\n`
const flash = (
  input: string,
  audio: string,
  output: string,
  cached: string,
  cachedAudio: string,
  storage = '1.00',
) =>
  googleTable([
    ['Input price', `$${input} (text / image / video) $${audio} (audio)`],
    ['Output price (including thinking tokens)', `$${output}`],
    [
      'Context caching price',
      `$${cached} (text / image / video) $${cachedAudio} (audio) $${storage} / 1,000,000 tokens per hour (storage price)`,
    ],
  ])
const pro = (input: string[], output: string[], cached: string[]) =>
  googleTable([
    ['Input price', `$${input[0]}, prompts <= 200k tokens $${input[1]}, prompts > 200k tokens`],
    [
      'Output price (including thinking tokens)',
      `$${output[0]}, prompts <= 200k tokens $${output[1]}, prompts > 200k`,
    ],
    [
      'Context caching price',
      `$${cached[0]}, prompts <= 200k tokens $${cached[1]}, prompts > 200k $4.50 / 1,000,000 tokens per hour (storage price)`,
    ],
  ])

export const googlePage = `# Gemini Developer API pricing – paid and free

## Gemini 9 Flash

_\`gemini-9-flash\`_

A model for much.

${tabs('Standard', 'Batch', 'Flex', 'Priority')}
${flash('0.30', '1.00', '2.50', '0.03', '0.1')}
${flash('0.15', '0.50', '1.25', '0.03', '0.1')}
${flash('0.15', '0.50', '1.25', '0.03', '0.1')}
${flash('0.54', '1.80', '4.50', '0.054', '0.18', '1.80')}
* A request may result in several queries.

## Gemini 3.1 Pro Preview

_\`gemini-3.1-pro-preview\` and \`gemini-3.1-pro-preview-customtools\`_

${tabs('Standard', 'Batch')}
${pro(['2.00', '4.00'], ['12.00', '18.00'], ['0.20', '0.40'])}
${pro(['1.00', '2.00'], ['6.00', '9.00'], ['0.20', '0.40']).replace('$0.20,', '_Same as Standard, Batch pricing not yet implemented_ $0.20,')}
## Gemini 9 TTS

_\`gemini-9-tts\`_

${tabs('Standard', 'Batch')}
${googleTable([['Input price', '$1.00 (text)'], ['Output price', '$20.00 (audio)']])}
${googleTable([['Input price', '$0.50 (text)'], ['Output price', '$10.00 (audio)']])}
## Gemini Embedding

_\`gemini-embedding-001\`_

${tabs('Standard', 'Batch')}
${googleTable([['Input price', '$0.15']])}
${googleTable([['Input price', '$0.075']])}
## Notes

* Prices may differ elsewhere.
` // prettier-ignore

const zaiRows = [
  ['GLM-5.2', '$1.4', '$0.26', 'Limited-time Free', '$4.4'],
  ['GLM-5-Turbo', '$1.2', '$0.24', 'Limited-time Free', '$4.0'],
  ['GLM-4-32B-0414-128K', '$0.1', '-', '-', '$0.1'],
  ['GLM-4.7-Flash', 'Free', 'Free', 'Free', 'Free'],
]
const zaiVision = [
  ['GLM-4.6V', '$0.3', '$0.05', 'Limited-time Free', '$0.9'],
  ['GLM-OCR', '$0.03', '\\', '\\', '$0.03'],
]
const zaiHeader = ['Model', 'Input', 'Cached Input', 'Cached Input Storage', 'Output']
const htmlTable = (header: readonly string[], rows: readonly (readonly string[])[]) =>
  `<table><thead><tr>${header.map((cell) => `<th>${cell}</th>`).join('')}</tr></thead><tbody>` +
  rows.map((row) => `<tr>${row.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('') +
  '</tbody></table>'
const drawn = (rows: readonly (readonly string[])[]) =>
  rows
    .flat()
    .map((cell) => `_jsx(_components.td,{children:\`${cell.replace('\\', '\\\\\\\\')}\`})`)
    .join(',')

export const zaiPage = `<!DOCTYPE html><html><body><p>Prices – All prices are in USD.</p>
<h3>Text Models</h3><span>Prices per 1M tokens.</span>${htmlTable(zaiHeader, zaiRows)}
<h3>Vision Models</h3><span>Prices per 1M tokens.</span>${htmlTable(zaiHeader, zaiVision)}
<h3>Built-in Tools</h3>${htmlTable(['Tool', 'Cost'], [['Web Search', '$0.01 / use']])}
<script>self.__next_f.push([1,"${drawn(zaiRows)}"])</script>
<script>self.__next_f.push([1,"${drawn(zaiVision)}"])</script></body></html>`

const docTable = (titles: readonly string[], rows: readonly (readonly string[])[]) => `<DocTable
  columns={[
${titles.map((title) => `{ title: "${title}", width: "16%" },`).join('\n')}
]}
  rows={[
${rows.map((row) => `[${row.map((cell) => (cell.startsWith('$') ? `<>{"$"}${cell.slice(1)}</>` : `"${cell}"`)).join(', ')}],`).join('\n')}
]}
/>

Here, 1M = 1,000,000. The prices in the table represent the cost per 1M tokens consumed.
`

export const moonshotPage = `# Prices – of models

${docTable(
  ['Model', 'Unit', 'Input Price (Cache Hit)', 'Input Price (Cache Miss)', 'Output Price', 'Context Window'],
  [
    ['kimi-k9', '1M tokens', '$0.16', '$0.95', '$4.00', '262,144 tokens'],
    ['kimi-k9-turbo', '1M tokens', '$0.15', '$1.15', '$8.00', '262,144 tokens'],
  ],
)}
--- PAGE BREAK ---

${docTable(
  ['Model', 'Unit', 'Input Price', 'Output Price', 'Context Window'],
  [['moonshot-v9-8k', '1M tokens', '$0.20', '$2.00', '8,192 tokens']],
)}`

const kimiRows = [
  ['kimi-k9-code', '1M tokens', '¥1.30', '¥6.50', '¥27.00', '262,144 tokens'],
  ['kimi-k9-fast', '1M tokens', '¥2.60', '¥13.00', '¥54.00', '262,144 tokens'],
]
const kimiHeader = [
  '模型',
  '计费单位',
  '输入价格（缓存命中）',
  '输入价格（缓存未命中）',
  '输出价格',
  '上下文窗口',
]
export const moonshotPageCn = `<!DOCTYPE html><html><body><h2>产品定价</h2>${htmlTable(kimiHeader, kimiRows)}
<span>此处 1M = 1,000,000，表格中的价格代表每消耗 1M tokens 的价格。</span>
<script>self.__next_f.push([1,"rows: [${kimiRows.map((row) => `[${row.map((cell) => `\\"${cell}\\"`).join(', ')}]`).join(', ')}]"])</script>
</body></html>`

export const voyagePage = `# Pricing – of vectors

| Model | Price per thousand tokens | Price per million tokens | Number of free tokens |
| ----- | ------------------------- | ------------------------ | --------------------- |
| \`voyage-9-large\` | $0.00012 | $0.12 | 200 million |
| \`voyage-law-9\`<br />\`voyage-code-9\` | $0.00018 | $0.18 | 50 million |

## Older models

| Model | Price per thousand tokens | Price per million tokens |
| :---- | :------------------------ | :----------------------- |
| \`voyage-8\` | $0.00006 | $0.06 |
| \`rerank-9\` | $0.00005 | $0.05 |
`

export const grok = {
  name: 'grok-9-0101',
  promptTextTokenPrice: '30000',
  completionTextTokenPrice: '150000',
  cachedPromptTokenPrice: '7500',
  features: {},
  aliases: ['grok-9'],
  completionTokenPriceLongContext: '300000',
  promptTextTokenPriceLongContext: '60000',
  longContextThreshold: '128000',
}
export const grokMini = {
  ...{ name: 'grok-9-mini', promptTextTokenPrice: '2000', completionTextTokenPrice: '5000' },
  ...{ cachedPromptTokenPrice: 0, features: {}, aliases: [] as string[] },
  ...{ completionTokenPriceLongContext: 0, promptTextTokenPriceLongContext: 0 },
}

/** With the models of two clusters, and a table. */
export function buildXaiPage(
  models: readonly (readonly object[])[] = [
    [grok, grokMini],
    [grokMini, grok],
  ],
  shown: readonly (readonly [string, string])[] = [
    ['grok-9-0101', '$3.00$15.00'],
    ['grok-9-minius-east-1', '$0.20$0.50'],
  ],
): string {
  const clusterConfigs = models.map((languageModels, index) => ({
    languageModels,
    clusterName: ['us-east-1', 'eu-west-1'][index] ?? 'other',
  }))
  const data = `1a:${JSON.stringify(['$', null, { state: { queries: [{ data: { clusterConfigs } }] } }])}\n`
  return `<!DOCTYPE html><html><body><h2>Model Pricing – models</h2>${htmlTable(
    ['Model', 'Modalities', 'Capabilities', 'Context', 'Rate limits', 'Pricing'],
    shown.map(([name, prices]) => [name, '', '', '256,000', '480rpm', prices]),
  )}<script>self.__next_f.push([1,${JSON.stringify(data)}])</script></body></html>`
}
export const xaiPage = buildXaiPage()
