import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { prints, runLine, type Play } from '../play.ts'

/** Writes the file that the next program reads, and prints nothing. */
const keeps: Play = {
  run: async (stage) => {
    for (const command of stage.commands) await runLine(stage, command)
    const lines = (await readFile(join(stage.room, 'calls.jsonl'), 'utf8')).trim().split('\n')
    if (lines.length !== 3) throw new Error(`It keeps ${lines.length} calls, and not 3.`)
  },
}

/** What each program of the README must do. The first two are exact: their prices are those of the shipped list. */
export const plays: Record<string, Play> = {
  'keep.mjs': keeps,
  'today.mjs': prints(
    /^openai:gpt-5\.4 0\.005195\nanthropic:claude-sonnet-4-5 0\.012558\ngoogle:gemini-2\.5-pro 0\.0113\n0\.029053 USD\n/,
  ),
  'what-is-not-known.mjs': prints(/^null 0\.00315 no_rate\ntrue true\n/),
  'names.mjs': prints(/anthropic:claude-sonnet-4-5 by spelling[\s\S]*openai:gpt-4o/),
  'file.mjs': prints(/^0\.075003\n\[ 'no_rate_cards' \]/),
  'trace.mjs': prints(
    /'gen_ai\.usage\.cost\.amount': 0\.0027[\s\S]*'ratecard\.cost\.total': '0\.0027'|'ratecard\.cost\.total': '0\.0027'[\s\S]*'gen_ai\.usage\.cost\.amount': 0\.0027/,
  ),
  'middleware.mjs': prints(/^0\.0027\n[\s\S]*total: '0\.0027'/),
  'bill.mjs': prints(
    /tier: billed as batch; or billed as flex\n.*Vector storage .*unknown line item[\s\S]*0 of 2 rows are equal/,
  ),
  'commands.mjs': prints(/cache_write_tokens +6 +1m_tokens +1h[\s\S]*Exit codes/),
}
