/** One line of the table: what was looked at, and what is wrong with it, if anything is. */
export interface Finding {
  subject: string
  figure: string
  limit?: string
  /** What is wrong and what to do. Absent when all is well. */
  problem?: string
}

export function print(findings: Finding[]): void {
  const width = (cell: (finding: Finding) => string) => Math.max(...findings.map((one) => cell(one).length))
  const subjectWidth = width(({ subject }) => subject)
  const figureWidth = width(({ figure }) => figure)
  for (const { subject, figure, limit, problem } of findings) {
    const bound = limit === undefined ? '' : `at most ${limit}`
    console.log(
      `${problem === undefined ? '  ok ' : 'FAIL '} ${subject.padEnd(subjectWidth)}  ${figure.padStart(figureWidth)}  ${bound}`.trimEnd(),
    )
  }
  for (const { subject, problem } of findings) {
    if (problem !== undefined) console.error(`\n${subject}\n${problem.replaceAll(/^/gm, '  ')}`)
  }
}

/** What is wrong with it, if anything is. */
export function checked(subject: string, figure: string, problems: readonly string[]): Finding {
  return { subject, figure, ...(problems.length > 0 && { problem: problems.join('\n') }) }
}

/** A figure that must not exceed a limit. */
export function atMost(subject: string, value: number, limit: number, unit: string, remedy: string): Finding {
  return {
    subject,
    figure: `${value.toLocaleString('en')} ${unit}`,
    limit: `${limit.toLocaleString('en')} ${unit}`,
    ...(value > limit && { problem: remedy }),
  }
}
