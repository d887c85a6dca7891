/** The name under which the bill has a model that the log names; the log's own where it has none. */
export function findBilledName(names: ReadonlySet<string>, model: string): string {
  if (names.has(model)) return model
  const tuned = /^ft:([^:]+):/.exec(model)?.[1]
  if (tuned !== undefined && names.has(`ft-${tuned}`)) return `ft-${tuned}`
  const [words, isDated] = splitName(model)
  const like = [...names].filter((name) => {
    const [others, isOtherDated] = splitName(name)
    // Two days are two models. One name without a day is the other's alias.
    return others === words && !(isDated && isOtherDated)
  })
  return like.length === 1 ? like[0]! : model
}

const day = /-(?:20\d{2}-\d{2}-\d{2}|20\d{6}|\d{4})$/

/** `Claude Sonnet 4.5` of the console is `claude-sonnet-4-5-20250929` of the API, and `Claude Sonnet 3.7` is `claude-3-7-sonnet`. */
function splitName(name: string): [words: string, isDated: boolean] {
  const plain = name
    .slice(name.lastIndexOf('/') + 1)
    .toLowerCase()
    .replaceAll(/[ ._]/g, '-')
  const bare = plain.replace(day, '').replace(/-(?:latest|0)$/, '')
  const words = bare.split('-')
  const isNumber = (word: string) => /^\d+$/.test(word)
  const letters = words.filter((word) => !isNumber(word)).sort()
  return [[...letters, ...words.filter(isNumber)].join('-'), day.test(plain)]
}
