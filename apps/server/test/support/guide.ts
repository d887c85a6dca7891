import { readFile } from 'node:fs/promises'

// The commands of a guide, as somebody copies them: each line of its `sh` blocks.

export interface GuideBlock {
  /** The heading above it. */
  section: string
  line: number
  commands: string[]
}

export async function readBlocks(document: URL): Promise<GuideBlock[]> {
  const blocks: GuideBlock[] = []
  let section = ''
  let block: GuideBlock | null = null
  for (const [index, text] of (await readFile(document, 'utf8')).split('\n').entries()) {
    if (block === null) {
      section = /^#+ (.+)$/.exec(text)?.[1] ?? section
      if (text === '```sh') block = { section, line: index + 1, commands: [] }
    } else if (text === '```') {
      blocks.push(block)
      block = null
    } else {
      const command = text.replace(/\s{2,}#.*$/, '').trim()
      if (command !== '' && !command.startsWith('#')) block.commands.push(command)
    }
  }
  return blocks
}

/** The words of a command that a shell would only take apart; null: it needs a shell. */
export function wordsOf(command: string): string[] | null {
  if (/[$|&;<>`*]/.test(command)) return null
  return [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  )
}

const idPattern = /\b(acct|key|wh|dlv|chg|pack|run|hold)_[0-9A-Za-z]{20}\b/g

/** What stands for `acct_…` and its like: the last id of the kind that a command has printed, or that was noted. */
export class Ids {
  readonly #last = new Map<string, string>()

  note(text: string): void {
    // Of a command that makes something it is the first; the others are what it belongs to.
    for (const [id, kind = ''] of [...text.matchAll(idPattern)].reverse()) this.#last.set(kind, id)
  }

  fill(command: string): string {
    return command.replaceAll(
      /\b([a-z]+)_…/g,
      (placeholder, kind: string) => this.#last.get(kind) ?? placeholder,
    )
  }
}

/** The connections that docs/operations.md says that a process of this command holds at most. */
export async function documentedConnections(
  command: string,
  pools: { DATABASE_POOL_SIZE: number },
): Promise<number> {
  const guide = await readFile(new URL('../../../../docs/operations.md', import.meta.url), 'utf8')
  const row = guide
    .split('\n')
    .find((line) => line.startsWith(`| ${command}`) || line.startsWith(`| \`${command}\``))
  const terms = (row?.split('|')[2] ?? '').replaceAll('`', '').split(' + ')
  return terms.reduce((sum, term) => sum + (pools[term.trim() as keyof typeof pools] ?? Number(term)), 0)
}
