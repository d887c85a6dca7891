import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'
import { Thread, ThreadTimeout } from './thread.ts'

/** A thread that needs so long to begin, and then for a task. */
function create({ beginsMs, worksMs }: { beginsMs: number; worksMs: number }): Thread<null, string> {
  const folder = mkdtempSync(join(tmpdir(), 'ratecard-thread-'))
  const file = join(folder, 'slow.ts')
  const wait = (ms: number) => `await new Promise((resolve) => setTimeout(resolve, ${ms}))`
  const answer = JSON.stringify(new URL('./answer.ts', import.meta.url))
  const work = `async () => { ${wait(worksMs)}; return 'done' }`
  writeFileSync(
    file,
    `import { answerInThread } from ${answer}\n${wait(beginsMs)}\nanswerInThread(${work})\n`,
  )
  const thread = new Thread<null, string>(pathToFileURL(file), { memoryMb: 64, idleMs: 60_000 })
  onTestFinished(async () => {
    await thread.end()
    rmSync(folder, { recursive: true })
  })
  return thread
}

test('a thread that begins slowly is not ended for it: its first task has its whole time', async () => {
  const thread = create({ beginsMs: 3_000, worksMs: 0 })
  expect(await thread.ask(null, 2_500)).toBe('done')
  expect(await thread.ask(null, 2_500)).toBe('done')
})

test('a task that takes too long ends its thread, and the next one begins another', async () => {
  const thread = create({ beginsMs: 0, worksMs: 500 })
  await expect(thread.ask(null, 50)).rejects.toThrow(ThreadTimeout)
  expect(await thread.ask(null, 60_000)).toBe('done')
  await expect(thread.ask(null, 50)).rejects.toThrow('it took longer than 0.05 seconds')
})
