import { appendFile } from 'node:fs/promises'
import process from 'node:process'

// How a step of GitHub Actions is asked, and how it answers: variables, files, and commands on stdout.

const { env } = process

/** Why the check cannot be made, in a sentence for who wrote the workflow. */
export class StepError extends Error {}

export function readInput(name: string): string {
  return (env[`INPUT_${name.toUpperCase()}`] ?? '').trim()
}

export function readLines(name: string): string[] {
  return readInput(name)
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter(Boolean)
}

/** Where something is in the repository. */
export interface Place {
  file: string
  line: number
}

/** Says a sentence beside the code. Strangers' names in it are data: they begin no command. */
export function annotate(level: 'notice' | 'warning' | 'error', message: string, place?: Place): void {
  const at = place === undefined ? '' : ` file=${escapeProperty(place.file)},line=${place.line}`
  process.stdout.write(`::${level}${at}::${escapeData(message)}\n`)
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

export async function putOutputs(outputs: Readonly<Record<string, number | boolean>>): Promise<void> {
  const text = Object.entries(outputs).map(([name, value]) => `${name}=${value}\n`)
  if (env.GITHUB_OUTPUT) await appendFile(env.GITHUB_OUTPUT, text.join(''))
}

export async function putSummary(markdown: string): Promise<void> {
  if (env.GITHUB_STEP_SUMMARY) await appendFile(env.GITHUB_STEP_SUMMARY, `${markdown}\n`)
}
