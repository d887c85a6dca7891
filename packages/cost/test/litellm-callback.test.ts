import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { costOf } from '../src/index.ts'
import { readLiteLLM } from '../src/readers.ts'
import { catalogOf, sonnet } from './support.ts'

const hasPython = spawnSync('python3', ['--version']).status === 0

// LiteLLM itself is not at hand here: what stands for it has its class, and calls as it does.
const litellm = `
import asyncio, sys, types
base = types.ModuleType("litellm.integrations.custom_logger")
base.CustomLogger = type("CustomLogger", (), {"__init__": lambda self: None})
sys.modules.update({"litellm": types.ModuleType("litellm"), "litellm.integrations": types.ModuleType("i"), base.__name__: base})
from ratecard_calls import calls

class Answer:
    def model_dump(self):
        return {
            "id": "a", "model": "claude-sonnet-4-5", "created": 1789000000, "choices": [{"message": "secret"}],
            "usage": {"prompt_tokens": 1500, "completion_tokens": 20, "total_tokens": 1520,
                      "prompt_tokens_details": {"cached_tokens": 1000}},
        }

words = {"litellm_params": {"custom_llm_provider": "anthropic"}, "messages": ["secret"]}
calls.log_success_event(words, Answer(), None, None)
asyncio.run(calls.async_log_success_event(words, Answer().model_dump(), None, None))
`

test.runIf(hasPython)("the guide's callback keeps what a cost needs, and no prompt", () => {
  const guide = readFileSync(new URL('../../../docs/litellm.md', import.meta.url), 'utf8')
  const [, callback = ''] = /```python\n([\s\S]*?)```/.exec(guide) ?? []
  const folder = mkdtempSync(join(tmpdir(), 'ratecard-litellm-'))
  try {
    writeFileSync(join(folder, 'ratecard_calls.py'), callback)
    writeFileSync(join(folder, 'main.py'), litellm)
    execFileSync('python3', ['main.py'], { cwd: folder })
    const text = readFileSync(join(folder, 'calls.jsonl'), 'utf8')
    expect(text).not.toContain('secret')
    const totals = text
      .trim()
      .split('\n')
      .map((line) => costOf(readLiteLLM(JSON.parse(line)), { catalog: catalogOf(sonnet) }).total)
    expect(totals).toEqual(['0.0021', '0.0021'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
