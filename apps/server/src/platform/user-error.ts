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

const unreadable: Record<string, string> = {
  ENOENT: 'there is no such file',
  EISDIR: 'it is a folder',
  EACCES: 'it is not yours to read',
}

/** Why a file could not be read, in words. */
export function whyUnreadable(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException
  return unreadable[code] ?? message
}
