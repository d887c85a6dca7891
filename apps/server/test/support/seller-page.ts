/** A price page in the form of Anthropic's, of models by their names: USD per million input tokens. */
export function anthropicPage(inputs: Record<string, number>): string {
  const row = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const usd = (amount: number) => `$${Number(amount.toFixed(6))} / MTok`
  const models = Object.entries(inputs)
  return [
    '# Pricing',
    'All prices are in USD.',
    '## Model pricing',
    row([
      'Model',
      'Base Input Tokens',
      '5m Cache Writes',
      '1h Cache Writes',
      'Cache Hits & Refreshes',
      'Output Tokens',
    ]),
    row(Array.from({ length: 6 }, () => '---')),
    ...models.map(([name, input]) =>
      row([name, ...[input, 1.25 * input, 2 * input, 0.1 * input, 5 * input].map(usd)]),
    ),
    '',
    '- 5-minute cache write tokens are 1.25 times the base input tokens price',
    '- 1-hour cache write tokens are 2 times the base input tokens price',
    '- Cache read tokens are 0.1 times the base input tokens price',
    '',
    '### Batch processing',
    row(['Model', 'Batch input', 'Batch output']),
    row(Array.from({ length: 3 }, () => '---')),
    ...models.map(([name, input]) => row([name, ...[0.5 * input, 2.5 * input].map(usd)])),
    '',
  ].join('\n')
}
