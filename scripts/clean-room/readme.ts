import { readFile, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { customerEnvironment, openRoom, run, type Context } from './room.ts'
import { serveAndDeliver } from './serving.ts'
import type { Step } from './step.ts'

/** The first program of each README, run as it stands, with what its install line installs. */
export const readmeStep: Step = {
  name: 'readme',
  run: async (context) => {
    const told: string[] = []
    for (const { source, unpacked, manifest } of context.packages) {
      const { install, code, file } = firstProgram(
        await readFile(join(unpacked, 'README.md'), 'utf8'),
        manifest.name,
      )
      const room = await openRoom(context, `readme-${basename(source)}`, {
        install: install.filter((name) => name !== manifest.name),
        files: ['free-port.js', 'deliver.js'],
      })
      await writeFile(join(room, file), code)
      await runFirst(context, room, file, code)
      told.push(`${manifest.name} ${code.trim().split('\n').length} lines`)
    }
    return told.join(', ')
  },
}

async function runFirst(context: Context, room: string, file: string, code: string): Promise<void> {
  const env = customerEnvironment(context)
  if (code.includes('.listen(')) {
    const path = /\.(?:post|all|use)\(\s*'([^']+)'/.exec(code)?.[1] ?? '/'
    return serveAndDeliver(room, file, path, env)
  }
  const said = await run(process.execPath, [file], { cwd: room, env })
  if (said.trim() === '') throw new Error('The first program of the README prints nothing.')
}

function firstProgram(readme: string, name: string): { install: string[]; code: string; file: string } {
  const blocks = [...readme.matchAll(/^```(\w+)\n([\s\S]*?)^```/gm)].map(([, language = '', text = '']) => ({
    language,
    text,
  }))
  const install = blocks.find(({ text }) => text.includes(`npm install ${name}`))?.text
  const program = blocks.find(({ language }) => /^(ts|js|mjs|typescript|javascript)$/.test(language))
  if (install === undefined || program === undefined) {
    throw new Error(`The README of ${name} needs an install line and a program.`)
  }
  const words = /npm install (.*)/.exec(install)?.[1]?.split(/\s+/) ?? []
  return {
    install: words.filter((word) => word !== '' && !word.startsWith('-')),
    code: program.text,
    file: program.language.startsWith('t') ? 'first.ts' : 'first.js',
  }
}
