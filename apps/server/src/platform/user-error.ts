/** A failure that the person at the keyboard can mend: its message is a full sentence that says how. */
export class UserError extends Error {
  override name = 'UserError'
  /** 1: the work failed; 2: the command was used wrongly. */
  readonly exitCode: 1 | 2

  constructor(message: string, options: { exitCode?: 1 | 2; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.exitCode = options.exitCode ?? 1
  }
}
