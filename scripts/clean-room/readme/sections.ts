/** A README in pieces: what stands under one heading is one folder of a reader, with what its install lines bring. */
export interface Section {
  title: string
  /** What `npm install` is given, flags included. */
  installs: string[]
  /** Other lines of shell that start no program, such as `cp`. */
  preparations: string[]
  /** Programs: what is written into which file, and what the section says to start it with. */
  programs: Program[]
}

interface Program {
  /**
   * As the first line of the block says: `// app.mjs`. Of a program of the package itself: its name and command. Of a
   * configuration, which is JSON and says nothing: the heading that it stands under.
   */
  file: string
  /** Absent for a file that a line of shell puts there. */
  text?: string
  commands: string[]
  /** What the README says that it prints. */
  output?: string[]
  /** Where it is in the README, for messages. */
  line: number
}

/**
 * Takes a README apart. Every block ends up as a program, an installation or a line of shell: anything else throws, so
 * that none is passed over.
 */
export function readSections(readme: string): Section[] {
  const sections: Section[] = []
  let section = open('before the first heading')
  function open(title: string): Section {
    const opened = { title, installs: [], preparations: [], programs: [] }
    sections.push(opened)
    return opened
  }
  const lines = readme.split('\n')
  for (let at = 0; at < lines.length; at += 1) {
    const heading = /^#{1,4} (.*)/.exec(lines[at] ?? '')?.[1]
    if (heading !== undefined) section = open(heading)
    const fence = /^\s*(`{3,}|~{3,})(.*)$/.exec(lines[at] ?? '')
    if (!fence) continue
    const [, mark = '', language = ''] = fence
    const end = lines.findIndex((text, index) => index > at && text.trim() === mark)
    if (end < 0) throw new Error(`README.md:${at + 1}: the block has no end.`)
    take(section, language.trim(), lines.slice(at + 1, end), at + 1)
    at = end
  }
  return sections
}

function take(section: Section, language: string, lines: string[], line: number): void {
  if (language === 'sh') {
    for (const text of lines.filter((one) => one !== '' && !one.startsWith('#')))
      takeShell(section, text, line)
    return
  }
  if (language === 'text') {
    const program = section.programs.at(-1)
    if (!program) throw new Error(`README.md:${line}: no program stands before what is printed.`)
    program.output = lines
    return
  }
  if (language === 'json') {
    const text = lines.join('\n')
    JSON.parse(text)
    section.programs.push({ file: section.title, text, commands: [], line })
    return
  }
  if (!['js', 'ts'].includes(language)) {
    throw new Error(`README.md:${line}: nobody knows how to run a block of "${language}".`)
  }
  const file = /^\/\/ ([\w./-]+\.(?:m?[jt]s))$/.exec(lines[0] ?? '')?.[1]
  if (file === undefined) {
    throw new Error(`README.md:${line}: the first line of a program is its file, such as "// app.mjs".`)
  }
  section.programs.push({ file, text: `${lines.join('\n')}\n`, commands: [], line })
}

function takeShell(section: Section, text: string, line: number): void {
  const installed = /^npm install (.+)$/.exec(text)?.[1]
  if (installed !== undefined) {
    section.installs.push(...installed.split(/\s+/))
    return
  }
  const own = /^npx (@ratecard\/\w+ \w+)/.exec(text)?.[1]
  if (own !== undefined) return takeCommand(section, own, text, line)
  if (!/^([A-Z_]+=\S* )*(node|bun|deno|npx vitest run) /.test(text)) {
    section.preparations.push(text)
    return
  }
  const file = text.split(' ').findLast((word) => /\.m?[jt]s$/.test(word))
  if (file === undefined) throw new Error(`README.md:${line}: "${text}" starts no file.`)
  takeCommand(section, file, text, line)
}

function takeCommand(section: Section, file: string, command: string, line: number): void {
  const program = section.programs.find((one) => one.file === file)
  if (program) program.commands.push(command)
  else section.programs.push({ file, commands: [command], line })
}
