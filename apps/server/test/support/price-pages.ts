/** Price pages of our own making in the forms that sellers use, each with a few models and all that its reader knows. */

export const anthropicPage = `# Pricing

All prices are in USD.

## Model pricing

| Model | Base Input Tokens | 5m Cache Writes | 1h Cache Writes | Cache Hits & Refreshes | Output Tokens |
|-------|-------------------|-----------------|-----------------|------------------------|---------------|
| Claude Opus 5 | $5 / MTok | $6.25 / MTok | $10 / MTok | $0.50 / MTok | $25 / MTok |
| Claude Opus 4.1 ([deprecated](/ends)) | $15 / MTok | $18.75 / MTok | $30 / MTok | $1.50 / MTok | $75 / MTok |
| Claude Opus 4 ([retired, except on a cloud](/ends)) | $15 / MTok | $18.75 / MTok | $30 / MTok | $1.50 / MTok | $75 / MTok |
| Claude Sonnet 5 [through August 31, 2026](/notes) | $2 / MTok | $2.50 / MTok | $4 / MTok | $0.20 / MTok | $10 / MTok |
| Claude Sonnet 5 starting September 1, 2026 | $3 / MTok | $3.75 / MTok | $6 / MTok | $0.30 / MTok | $15 / MTok |
| Claude Sonnet 4.5 | $3 / MTok | $3.75 / MTok | $6 / MTok | $0.30 / MTok | $15 / MTok |
| Claude Haiku 4.5 | $1 / MTok | $1.25 / MTok | $2 / MTok | $0.10 / MTok | $5 / MTok |
| Claude Haiku 3 | $0.25 / MTok | $0.30 / MTok | $0.50 / MTok | $0.03 / MTok | $1.25 / MTok |

<Note id="sonnet">
  Introductory pricing of $2/$10 per million input/output tokens is in effect through August 31, 2026, after which the standard pricing of $3/$15 per million input/output tokens will take effect.
</Note>

<Note>
  Some pay $4 – or more.
</Note>

### Prompt caching

| Cache operation | Multiplier | Duration |
|:----------------|:-----------|:---------|
| 5-minute cache write | 1.25x base input price | 5 minutes |
| 1-hour cache write | 2x base input price | 1 hour |
| Cache read (hit) | 0.1x base input price | as written |

### Fast mode pricing

| Model | Input | Output |
|:------|:------|:-------|
| Claude Opus 5 | $10 / MTok | $50 / MTok |

### Batch processing

| Model | Batch input | Batch output |
|-------|-------------|--------------|
| Claude Opus 5 | $2.50 / MTok | $12.50 / MTok |
| Claude Opus 4.1 ([deprecated](/ends)) | $7.50 / MTok | $37.50 / MTok |
| Claude Opus 4 ([retired, except on a cloud](/ends)) | $7.50 / MTok | $37.50 / MTok |
| Claude Sonnet 5 [through August 31, 2026](/notes) | $1 / MTok | $5 / MTok |
| Claude Sonnet 5 starting September 1, 2026 | $1.50 / MTok | $7.50 / MTok |
| Claude Sonnet 4.5 | $1.50 / MTok | $7.50 / MTok |
| Claude Haiku 4.5 | $0.50 / MTok | $2.50 / MTok |
| Claude Haiku 3 | $0.125 / MTok | $0.625 / MTok |

### Long context pricing

| Model | ≤ 200K input tokens | > 200K input tokens |
|-------|---------------------|---------------------|
| Claude Sonnet 4.5 | Input: $3 / MTok | Input: $6 / MTok |
|  | Output: $15 / MTok | Output: $22.50 / MTok |

* Using Claude Haiku 4.5 at $1/MTok input, $5/MTok output
`

const tiers = {
  standard: `
          ["gpt-5.6-sol", 5, 0.5, 6.25, 30],
          ["gpt-5.4 (<272K context length)", 2.5, 0.25, "-", 15],
          ["gpt-5.2", 1.75, 0.175, 14],
          ["gpt-5-pro", 15, null, 120],
          ["gpt-4.1", 2, 0.5, 8],
          ["gpt-4o", 2.5, 1.25, 10],
          ["o4-mini", 1.1, 0.275, 4.4],
          ["gpt-3.5-turbo", 0.5, null, 1.5],
          ["gpt-3.5-turbo-1106", 1, null, 2],`,
  batch: `
          ["gpt-5.6-sol", 2.5, 0.25, 3.125, 15],
          ["gpt-5.4 (<272K context length)", 1.25, 0.13, "-", 7.5],
          ["gpt-5.2", 0.875, 0.0875, 7],
          ["gpt-5-pro", 7.5, "-", 60],
          ["gpt-4.1", 1, "-", 4],
          ["gpt-4o", 1.25, "-", 5],
          ["o4-mini", 0.55, "-", 2.2],
          ["gpt-3.5-turbo-1106", 1, null, 2],`,
  flex: `
          ["gpt-5.6-sol", 2.5, 0.25, 3.125, 15],
          ["o4-mini", 0.55, 0.138, 2.2],`,
  priority: `
          ["gpt-5.6-sol", 10, 1, 12.5, 60],
          ["gpt-5.2", 3.5, 0.35, 28],
          ["gpt-4.1", 3.5, 0.875, 14],
          ["gpt-4o", 4.25, 2.125, 17],
          ["o4-mini", 2, 0.5, 8],`,
}

/** As the page's source is shown. */
export const openaiPage = `# Pricing

<div className="pricing-switcher-header">
    <small className="pricing-switcher-meta">Prices per 1M tokens.</small>
</div>
${Object.entries(tiers)
  .map(
    ([tier, rows]) => `<div data-content-switcher-pane data-value="${tier}">
      <TextTokenPricingTables
        client:load
        tier="${tier}"
        rows={[${rows}
        ]}
      />
    </div>`,
  )
  .join('\n')}

Web search: $10.00 / 1k calls – and tokens.
`

/** As the page is served, with each table's properties in an attribute. */
export const openaiIslands = `<!DOCTYPE html>
<html><body><h1>Pricing</h1><small>Prices per 1M tokens – text.</small>
${Object.entries(tiers)
  .map(([tier, rows]) => {
    const list = JSON.parse(`[${rows.trim().slice(0, -1)}]`) as unknown[][]
    const props = { tier: [0, tier], rows: [1, list.map((row) => [1, row.map((cell) => [0, cell])])] }
    const escaped = JSON.stringify(props).replaceAll('"', '&quot;').replaceAll('<', '&lt;')
    return `<astro-island component-export="TextTokenPricingTables" props="${escaped}" ssr></astro-island>`
  })
  .join('\n')}
<p>Web search: $10.00 / 1k calls</p></body></html>
`

const english = {
  unit: 'The prices listed below are in units of per 1M tokens.',
  version: 'MODEL VERSION',
  words: ['MODEL', '1M INPUT TOKENS (CACHE HIT)', '1M INPUT TOKENS (CACHE MISS)', '1M OUTPUT TOKENS'],
  flash: ['$0.0028', '$0.14', '$0.28'],
  pro: ['$0.003625', '$0.435', '$0.87'],
  hours: ['OFF-PEAK', 'PEAK'],
  announcement:
    'Prices change, with off-peak rates at half the peak rates. Peak hours are 01:00 - 04:00 and 06:00 - 10:00 UTC (all other hours are off-peak). The new prices take effect at 16:00 UTC on August 16, 2026, as follows:',
  next: [
    ['$0.007', '$0.22', '$0.66'],
    ['$0.014', '$0.44', '$1.32'],
    ['$0.022', '$0.66', '$1.98'],
    ['$0.044', '$1.32', '$3.96'],
  ],
}
const chinese: typeof english = {
  unit: '下表所列模型价格以“百万 tokens”为单位。',
  version: '模型版本',
  words: ['模型', '百万tokens输入（缓存命中）', '百万tokens输入（缓存未命中）', '百万tokens输出'],
  flash: ['0.02元', '1元', '2元'],
  pro: ['0.025元', '3元', '6元'],
  hours: ['空闲时段', '高峰时段'],
  announcement:
    '空闲时段价格为高峰时段价格的一半。高峰时段为北京时间 9:00 - 12:00、14:00 - 18:00（其余为空闲时段）。新价格将于北京时间 2026 年 8 月 17 日 00:00 开始生效，具体如下：',
  next: [
    ['0.05元', '1.5元', '4.5元'],
    ['0.10元', '3.0元', '9.0元'],
    ['0.15元', '4.5元', '13.5元'],
    ['0.30元', '9.0元', '27.0元'],
  ],
}

function deepseekMarkdown({
  unit,
  version,
  words,
  flash,
  pro,
  hours,
  announcement,
  next,
}: typeof english): string {
  const [model, ...labels] = words
  const line = (...cells: (string | undefined)[]) => `| ${cells.join(' | ')} |`
  return `# DeepSeek

${unit}

|  |  |  |  |
| --- | --- | --- | --- |
${line(model, '', 'deepseek-v4-flash', 'deepseek-v4-pro')}
${line(version, '', 'DeepSeek-V4-Flash-0731', 'DeepSeek-V4-Pro')}
| CONTEXT LENGTH | | 1M | |
${line('PRICING(1)', labels[0], flash[0], pro[0])}
${line(labels[1], flash[1], pro[1])}
${line(labels[2], flash[2], pro[2])}
| LIMIT(2) | | 2500 | 500 |

(1) ${announcement}

|  |  |  |  |  |
| --- | --- | --- | --- | --- |
${line(model, '', ...labels)}
${line('deepseek-v4-flash', hours[0], ...next[0]!)}
${line(hours[1], ...next[1]!)}
${line('deepseek-v4-pro', hours[0], ...next[2]!)}
${line(hours[1], ...next[3]!)}
`
}

function deepseekHtml({ unit, version, words, flash, pro }: typeof english): string {
  const [model, ...labels] = words
  const cells = (...texts: (string | undefined)[]) => texts.map((text) => `<td>${text}</td>`).join('')
  return `<!doctype html>
<html><body><h1>DeepSeek</h1><p>${unit}</p>
<table><tr><td colspan="2">${model}</td>${cells('deepseek-v4-flash<sup>(1)</sup>', 'deepseek-v4-pro')}</tr>
<tr><td colspan="2">${version}</td>${cells('DeepSeek-V4-Flash', 'DeepSeek-V4-Pro')}</tr>
<tr><td colspan="2">CONTEXT LENGTH</td><td colspan="2">1M</td></tr>
<tr><td rowspan="3">PRICING</td>${cells(`${labels[0]}<sup>(2)</sup>`, flash[0], pro[0])}</tr>
<tr>${cells(labels[1], flash[1], pro[1])}</tr>
<tr>${cells(labels[2], flash[2], pro[2])}</tr>
</table></body></html>
`
}

export const deepseekPage = deepseekMarkdown(english)
export const deepseekPageCn = deepseekMarkdown(chinese)
export const deepseekHtmlPage = deepseekHtml(english)
export const deepseekHtmlPageCn = deepseekHtml(chinese)
