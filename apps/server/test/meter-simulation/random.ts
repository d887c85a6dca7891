/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** At least 0, below 1. */
  next: () => number
  /** A whole number, both ends included. */
  between: (min: number, max: number) => number
  chance: (probability: number) => boolean
  pick: <T>(choices: readonly T[]) => T
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  // A Weyl sequence with mixed bits: neighbouring seeds have nothing in common.
  const next = () => {
    state = (state + 0x9e3779b9) >>> 0
    let bits = state
    bits = Math.imul(bits ^ (bits >>> 16), 0x21f0aaad)
    bits = Math.imul(bits ^ (bits >>> 15), 0x735a2d97)
    return ((bits ^ (bits >>> 15)) >>> 0) / 2 ** 32
  }
  const between = (min: number, max: number) => min + Math.floor(next() * (max - min + 1))
  return {
    next,
    between,
    chance: (probability) => next() < probability,
    pick: <T>(choices: readonly T[]) => choices[between(0, choices.length - 1)] as T,
  }
}
