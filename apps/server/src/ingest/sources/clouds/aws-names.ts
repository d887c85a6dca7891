/** A model of Bedrock by the name that Amazon's price list gives it. */
export interface BedrockName {
  /** Its id, as the model cards and the other lists spell it. */
  id: string
  /** What `usagetype` calls it, in the offers that state the name in `model`. */
  code?: string
  /** It is invoked through profiles of a geography alone, and the plain price is theirs. */
  isGeographic?: true
}

/**
 * Names as they stand in the offers, each whole, reviewed by hand: a name that is not here is not read. In
 * `AmazonBedrockFoundationModels` they stand before " (Amazon Bedrock Edition)".
 * https://docs.aws.amazon.com/bedrock/latest/userguide/model-cards.html
 */
export const bedrockNames: Readonly<Record<string, BedrockName>> = {
  'Claude 3 Haiku': { id: 'anthropic.claude-3-haiku-20240307-v1:0', code: 'Claude3Haiku' },
  'Claude Haiku 4.5': { id: 'anthropic.claude-haiku-4-5-20251001-v1:0', isGeographic: true },
  'Claude Opus 4': { id: 'anthropic.claude-opus-4-20250514-v1:0', isGeographic: true },
  'Claude Opus 4.1': { id: 'anthropic.claude-opus-4-1-20250805-v1:0', isGeographic: true },
  'Claude Opus 4.5': { id: 'anthropic.claude-opus-4-5-20251101-v1:0', isGeographic: true },
  'Claude Opus 4.6': { id: 'anthropic.claude-opus-4-6-v1', isGeographic: true },
  'Claude Opus 4.7': { id: 'anthropic.claude-opus-4-7', isGeographic: true },
  'Claude Opus 4.8': { id: 'anthropic.claude-opus-4-8', isGeographic: true },
  'Claude Opus 5': { id: 'anthropic.claude-opus-5', isGeographic: true },
  'Claude Sonnet 4': {
    ...{ id: 'anthropic.claude-sonnet-4-20250514-v1:0', code: 'Claude4Sonnet', isGeographic: true },
  },
  'Claude Sonnet 4.5': { id: 'anthropic.claude-sonnet-4-5-20250929-v1:0', isGeographic: true },
  'Claude Sonnet 4.6': { id: 'anthropic.claude-sonnet-4-6', isGeographic: true },
  'Claude Sonnet 5': { id: 'anthropic.claude-sonnet-5', isGeographic: true },
  'Mistral Large 3': {
    ...{ id: 'mistral.mistral-large-3-675b-instruct', code: 'Mistral-Large-3-675b-Instruct' },
  },
  'Nova 2.0 Lite': { id: 'amazon.nova-2-lite-v1:0', code: 'Nova2.0Lite', isGeographic: true },
  'Nova Pro': { id: 'amazon.nova-pro-v1:0', code: 'NovaPro' },
  'Qwen3 32B': { id: 'qwen.qwen3-32b-v1:0', code: 'Qwen3-32B' },
  'gpt-oss-120b': { id: 'openai.gpt-oss-120b-1:0', code: 'gpt-oss-120b' },
}

/** What `usagetype` begins with in each region that is read, and the geography of its inference profiles. */
export const regions: Readonly<Record<string, { code: string; geography: 'us' | 'eu' }>> = {
  'us-east-1': { code: 'USE1', geography: 'us' },
  'us-east-2': { code: 'USE2', geography: 'us' },
  'us-west-1': { code: 'USW1', geography: 'us' },
  'us-west-2': { code: 'USW2', geography: 'us' },
  'eu-central-1': { code: 'EUC1', geography: 'eu' },
  'eu-north-1': { code: 'EUN1', geography: 'eu' },
  'eu-west-1': { code: 'EU', geography: 'eu' },
  'eu-west-2': { code: 'EUW2', geography: 'eu' },
  'eu-west-3': { code: 'EUW3', geography: 'eu' },
}
