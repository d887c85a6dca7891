import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { installWith, runLine, type Play } from './play.ts'
import { readSections, type Section } from './readme/sections.ts'
import { plays as ofCost } from './readme/cost.ts'
import { plays as ofMcp } from './readme/mcp.ts'
import { plays as ofSdk } from './readme/sdk.ts'
import { plays as ofWebhooks } from './readme/webhooks.ts'
import { consumers, customerEnvironment, type Context, type Step } from './room.ts'

/** Every block of a README, run as its reader would, from what was packed. */
function readmeStep(name: string, plays: Record<string, Play>): Step {
  return {
    name: `readme-${name}`,
    run: async (context) => {
      const one = context.packages.find(({ source }) => basename(source) === name)
      if (!one) throw new Error(`No package is called ${name}.`)
      const sections = readSections(await readFile(join(one.unpacked, 'README.md'), 'utf8'))
      const seen = new Set<string>()
      for (const { programs } of sections) {
        for (const { file, line } of programs) {
          if (seen.has(file)) throw new Error(`README.md:${line}: there is another ${file}: name them apart.`)
          if (!plays[file])
            throw new Error(`README.md:${line}: say in readme/${name}.ts what ${file} must do.`)
          seen.add(file)
        }
      }
      const left = Object.keys(plays).filter((file) => !seen.has(file))
      if (left.length > 0) throw new Error(`The README has no ${left.join(', ')} any more.`)
      const failures: string[] = []
      for (const [index, section] of sections.entries()) {
        await playSection(context, section, `readme-${name}-${index}`, one.manifest.name, plays).catch(
          (error: unknown) => failures.push((error as Error).message),
        )
      }
      if (failures.length > 0) throw new Error(failures.join('\n\n'))
      return `${seen.size} programs in ${sections.length} sections run`
    },
  }
}

async function playSection(
  context: Context,
  section: Section,
  folder: string,
  own: string,
  plays: Record<string, Play>,
): Promise<void> {
  const { title, installs, preparations, programs } = section
  if (installs.length + preparations.length + programs.length === 0) return
  const room = join(context.folder, folder)
  await mkdir(room)
  const env = customerEnvironment(context)
  const findTarball = (word: string) =>
    context.packages.find(({ manifest }) => manifest.name === word)?.tarball ?? word
  const also = programs.flatMap(({ file }) => plays[file]?.also ?? [])
  const words = [...new Set([own, ...installs, ...also])].map(findTarball)
  try {
    await runLine({ room, env }, 'npm init -y')
    await installWith({ room, env }, words)
    for (const helper of ['deliver.mjs', 'call-lambda.mjs', 'receive.mjs', 'ask-mcp.mjs'])
      await cp(join(consumers, helper), join(room, helper))
    for (const { file, text } of programs) {
      if (text === undefined) continue
      await mkdir(dirname(join(room, file)), { recursive: true })
      await writeFile(join(room, file), text)
    }
    for (const line of preparations) await runLine({ room, env }, line)
    for (const { file, commands, line, output = [] } of programs) {
      const started = commands.length > 0 ? commands : [`node ${file}`]
      await plays[file]?.run({ room, file, commands: started, output, env }).catch((error: unknown) => {
        throw new Error(`README.md:${line}, ${file}: ${(error as Error).message}`, { cause: error })
      })
    }
  } catch (error) {
    throw new Error(`Under "${title}":\n${(error as Error).message}`, { cause: error })
  }
}

export const readmeSteps: Step[] = [
  readmeStep('webhooks', ofWebhooks),
  readmeStep('sdk', ofSdk),
  readmeStep('cost', ofCost),
  readmeStep('mcp', ofMcp),
]
