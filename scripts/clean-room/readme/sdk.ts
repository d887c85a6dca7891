import { prints, type Play } from './play.ts'

/** What each program of the README must do. */
export const plays: Record<string, Play> = {
  'first.mjs': prints(),
}
