import type { Context } from './room.ts'

/** One thing a customer does. It throws when that does not work, and may answer what is worth telling. */
export interface Step {
  name: string
  run: (context: Context) => Promise<string>
}
