// The search for a model by words as people type them: `gpt4o`, `claude sonnet 4.5`. What stands between letters and
// digits, and whether anything does, is nothing. The public pages search models, the dashboard searches records.

/**
 * What a search looks at, each as `toSearchText` has it.
 * @typedef {object} Searched
 * @property {string} name The model's own name, without its maker.
 * @property {string} all Name, id, maker and platforms.
 */

/**
 * A search, read once for all that is searched.
 * @typedef {object} Search
 * @property {readonly string[]} words Each has to be there.
 * @property {string} whole
 * @property {boolean} [isJoined] Spaces do not count, here nor in what is searched: `gpt41` and `deep seek v3`.
 */

/** What is searched for at most; the rest is cut off. */
export const searchCharsMax = 100
const wordsMax = 8
/** Less stands in too many names by chance. */
const joinedCharsMin = 4

/**
 * Letters and digits by turns in lower case, a space around each: ` gpt 4 o `.
 * @param {string} text
 */
export function toSearchText(text) {
  // Nearly all ids are ASCII, and this takes a tenth of the time.
  const parts = isAscii(text)
    ? text.toLowerCase().match(/[a-z]+|[0-9]+/g)
    : text
        .normalize('NFKD')
        .toLowerCase()
        .match(/\p{L}+|\p{N}+/gu)
  return parts ? ` ${parts.join(' ')} ` : ' '
}

/** @param {string} text */
function isAscii(text) {
  return /^[\x00-\x7f]*$/.test(text)
}

/**
 * What finds something, best first: every word as it was typed, where a word of letters at its end may go on and a
 * number may not; else numbers may go on as well, as while one is being typed; else what is written together or apart.
 * @param {string} text
 * @returns {Search[]} none: nothing is searched for
 */
export function listSearches(text) {
  const cut = text.slice(0, searchCharsMax).replaceAll('+', ' plus')
  const words = cut
    .split(/\s+/)
    .map(toSearchText)
    .filter((word) => word !== ' ')
    .slice(0, wordsMax)
  if (words.length === 0) return []
  const whole = toSearchText(cut)
  const strict = words.map((word) => (/\p{N} $/u.test(word) ? word : word.trimEnd()))
  const loose = words.map((word) => word.trimEnd())
  const isSame = loose.every((word, index) => word === strict[index])
  const searches = [{ words: strict, whole }]
  if (!isSame) searches.push({ words: loose, whole })
  const joined = whole.replaceAll(' ', '')
  return joined.length < joinedCharsMin
    ? searches
    : [...searches, { words: [joined], whole: joined, isJoined: true }]
}

/**
 * How well something answers a search, the smaller the better; null: some word is not there.
 * @param {Searched} searched
 * @param {Search} search
 */
export function computeRank(searched, { words, whole, isJoined = false }) {
  const name = isJoined ? searched.name.replaceAll(' ', '') : searched.name
  const all = isJoined ? searched.all.replaceAll(' ', '') : searched.all
  if (!words.every((word) => all.includes(word))) return null
  if (name === whole || all.startsWith(whole)) return 0
  const isExact = isJoined || /\d/.test(whole)
  const place = isExact ? name.indexOf(whole) : placeInOrder(name, words)
  if (place !== -1) return place === 0 ? 1 : 2
  // The more of the words its own name has, the better: the others are of its platforms.
  return 4 - words.filter((word) => name.includes(word)).length / words.length
}

/**
 * Where the words begin that stand in a name in their order, each whole, with others between them or not: `gemini flash`
 * is no less said of `gemini-3-flash` than of `gemini-flash-1.5`. Whoever names a version means it. -1: they do not.
 * @param {string} name
 * @param {readonly string[]} words
 */
function placeInOrder(name, words) {
  let [first, from] = [-1, 0]
  for (const word of words.map((one) => one.trimEnd())) {
    const place = name.indexOf(`${word} `, from)
    if (place === -1) return -1
    if (first === -1) first = place
    from = place + word.length
  }
  return first
}

/**
 * The places of what a search finds, the best first; equal ones stay in their order. All places where nothing is
 * searched for.
 * @param {readonly Searched[]} all
 * @param {string} text
 * @returns {number[]}
 */
export function findAll(all, text) {
  const searches = listSearches(text)
  if (searches.length === 0) return [...all.keys()]
  for (const search of searches) {
    const ranked = all.flatMap((searched, place) => {
      const rank = computeRank(searched, search)
      return rank === null ? [] : [{ place, rank }]
    })
    if (ranked.length > 0) return ranked.sort((a, b) => a.rank - b.rank).map(({ place }) => place)
  }
  return []
}

const distanceMax = 2
const guessCharsMax = 24
const guessCharsMin = 4

/**
 * A search that finds something, near to one that finds nothing: `gemini`, for `gemni`. Null: there is none.
 * @param {readonly Searched[]} all
 * @param {string} text
 */
export function nearSearch(all, text) {
  const vocabulary = new Set(all.flatMap(({ name }) => name.match(/\p{L}{3,}/gu) ?? []))
  const typed = text.slice(0, searchCharsMax).trim().toLowerCase()
  const guess = typed
    .split(/\s+/)
    .slice(0, wordsMax)
    .map((word) => word.replaceAll(/\p{L}+/gu, (letters) => nearestWord(letters, vocabulary) ?? letters))
    .join(' ')
  return guess !== typed && findAll(all, guess).length > 0 ? guess : null
}

/**
 * @param {string} word
 * @param {ReadonlySet<string>} vocabulary
 */
function nearestWord(word, vocabulary) {
  if (word.length < guessCharsMin || word.length > guessCharsMax || vocabulary.has(word)) return null
  /** @type {string | null} */
  let nearest = null
  let least = distanceMax + 1
  for (const known of vocabulary) {
    if (Math.abs(known.length - word.length) >= least) continue
    const distance = editDistance(word, known)
    if (distance < least) {
      least = distance
      nearest = known
    }
  }
  return nearest
}

/**
 * Letters to insert, delete or replace.
 * @param {string} a
 * @param {string} b
 */
function editDistance(a, b) {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const [before, above, left] = [row[j - 1] ?? 0, row[j] ?? 0, next[j - 1] ?? 0]
      next.push(Math.min(above + 1, left + 1, before + (a[i - 1] === b[j - 1] ? 0 : 1)))
    }
    row = next
  }
  return row[b.length] ?? 0
}
