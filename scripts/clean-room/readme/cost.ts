import { prints, type Play } from '../play.ts'

/** What each program of the README must do. Figures are exact: their prices are those of the shipped list. */
export const plays: Record<string, Play> = {
  'first.mjs': prints(/^0\.00395\n/),
  'more.mjs': prints(/^0\.00395\n0\.0024\n/),
  'today.mjs': prints(
    /^openai:gpt-5\.4 0\.005195\nanthropic:claude-sonnet-4-5 0\.007458\ngoogle:gemini-2\.5-pro 0\.0113\n0\.023953 USD\n/,
  ),
  'unknown.mjs': prints(/^null 0\.00315 no_rate\n/),
  'own-prices.mjs': prints(/^0\.00026\n0\.001575\n/),
  'core.mjs': prints(/^0\.00395\n/),
  'names.mjs': prints(/anthropic:claude-sonnet-4-5 by spelling[\s\S]*openai:gpt-4o/),
  'file.mjs': prints(/^0\.075\n/),
  'trace.mjs': prints(
    /'gen_ai\.usage\.cost\.amount': 0\.0027[\s\S]*'ratecard\.cost\.total': '0\.0027'|'ratecard\.cost\.total': '0\.0027'[\s\S]*'gen_ai\.usage\.cost\.amount': 0\.0027/,
  ),
  'middleware.mjs': prints(/^0\.0027\n[\s\S]*total: '0\.0027'/),
  'bill.mjs': prints(
    /tier: billed as batch; or billed as flex\n.*Vector storage .*unknown line item[\s\S]*0 of 2 rows are equal/,
  ),
  'verify.mjs': prints(/^litellm\.json is as it was signed\n/),
  '@ratecard/cost explain': prints(/cache_write_tokens +6 +1m_tokens +1h/),
}
