import type { ZxcvbnFactory } from '@zxcvbn-ts/core'

/** A longer one is judged by its beginning: judging takes longer with each letter, on the thread that serves. */
const judgedCharsMax = 32
/** Of five steps, from 0. Up to this one, less than a million tries are enough. */
const guessableScoreMax = 1

let judge: Promise<ZxcvbnFactory> | undefined

/**
 * Whether a password is among the first that are tried: one of the common ones, a row of keys, a repetition, or made of
 * what is known of its user.
 * @param known what others know, such as the e-mail address
 */
export async function isGuessable(password: string, known: readonly string[]): Promise<boolean> {
  judge ??= createJudge()
  const { score } = (await judge).check(password.slice(0, judgedCharsMax), [
    ...known,
    ...known.flatMap((text) => [...text.split('@'), ...text.split(/[@.\s]+/)]),
    'ratecard',
  ])
  return score <= guessableScoreMax
}

/** Its lists are 6 MB: they are read when the first password is set. */
async function createJudge(): Promise<ZxcvbnFactory> {
  const [{ ZxcvbnFactory: Factory }, { adjacencyGraphs, dictionary }] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
  ])
  return new Factory({ dictionary, graphs: adjacencyGraphs })
}
