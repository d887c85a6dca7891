/** What happens, as lines for people or as objects for programs. */
export interface Printer {
  event: (event: { event: string } & Record<string, unknown>, text: string) => void
}

/** Events go to standard output. A receiver answers what it likes, so control characters of its text are left out. */
export function printer(json: boolean): Printer {
  return {
    event: (event, text) => {
      process.stdout.write(json ? `${JSON.stringify(event)}\n` : `${text}\n`)
    },
  }
}

/** One line without control characters, at most 200 characters of it. */
export function oneLine(text: string): string {
  const line = text.replaceAll(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}
