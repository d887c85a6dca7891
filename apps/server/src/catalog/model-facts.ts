/** What a model can do, as sources state it. */
export const abilities = ['vision', 'audio', 'tools', 'reasoning', 'schemas'] as const
type Ability = (typeof abilities)[number]

/** What a source states of a model beside its price. What is missing it does not state. */
export interface ModelFacts extends Partial<Record<Ability, boolean>> {
  /** What fits into a request and its answer. */
  context_tokens?: number
  /** What fits into the request alone, where a source states that. */
  input_tokens?: number
  output_tokens?: number
  /** `YYYY-MM-DD` or `YYYY-MM` */
  released_on?: string
  knowledge_until?: string
}
export type FactName = keyof ModelFacts

/** A source's facts of one record. */
export interface StatedFacts {
  source: string
  resource_id: string
  facts: ModelFacts
}

/** What is known of a model: a value, and who says so. */
export interface Fact {
  value: number | string | boolean
  said: readonly { source: string; value: number | string | boolean }[]
  /** Whether the sources disagree, by more than rounding. */
  isDisputed: boolean
}
export type KnownFacts = Partial<Record<FactName, Fact>>

const names: readonly FactName[] = [
  ...(['context_tokens', 'input_tokens', 'output_tokens', 'released_on', 'knowledge_until'] as const),
  ...abilities,
]

/**
 * What all sources state of a model. A source speaks by what it says of the maker's own record, else by what it says
 * most often: hosts cut a context short. Of several sources the value counts that most have, then that of who has the
 * maker's own record, then the first by name.
 * @param isOwn whether a record is of the maker itself
 */
export function combineFacts(
  stated: readonly StatedFacts[],
  isOwn: (resourceId: string) => boolean,
): KnownFacts {
  const known: KnownFacts = {}
  const bySource = [...Map.groupBy(stated, ({ source }) => source)].sort(([a], [b]) => (a < b ? -1 : 1))
  for (const name of names) {
    const said = bySource
      .flatMap(([source, rows]) => {
        const having = rows.filter(({ facts }) => facts[name] !== undefined)
        const own = having.filter(({ resource_id }) => isOwn(resource_id))
        const value = mostCommon((own.length > 0 ? own : having).map(({ facts }) => facts[name]!))
        return value === undefined ? [] : [{ source, value, isOwn: own.length > 0 }]
      })
      .sort((a, b) => Number(b.isOwn) - Number(a.isOwn))
      .map(({ source, value }) => ({ source, value }))
    const value = mostCommon(said.map((each) => each.value))
    if (value === undefined) continue
    known[name] = { value, said, isDisputed: said.some((each) => !isAlike(each.value, value)) }
  }
  return known
}

function mostCommon<T>(values: readonly T[]): T | undefined {
  const groups = [...Map.groupBy(values, (value) => value)]
  return groups.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0]
}

/** 1,000,000 and 1,048,576 are one million; of days only the months are compared where one states no more. */
const roundingMax = 1.06

function isAlike(a: Fact['value'], b: Fact['value']): boolean {
  if (typeof a === 'number' && typeof b === 'number') return Math.max(a, b) <= roundingMax * Math.min(a, b)
  if (typeof a === 'string' && typeof b === 'string') return a.slice(0, 7) === b.slice(0, 7)
  return a === b
}
