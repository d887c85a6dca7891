import { UserError } from '../../../platform/user-error.ts'

// The largest real list has some 200,000 values.
const valuesMax = 2_000_000

/**
 * Parses a file from outside. A file with many times the values of any list of prices, or with extreme nesting, is
 * refused before it is parsed: JSON.parse takes a minute and a gigabyte for 20 MB of brackets.
 * @throws UserError when the file is refused, SyntaxError when it is not JSON
 */
export function parseForeignJson(text: string): unknown {
  let values = 0
  for (let index = 0; index < text.length; index += 1) {
    switch (text.charCodeAt(index)) {
      case quote:
        index = findEnd(text, index)
        break
      case openBrace:
      case openBracket:
      case comma:
        values += 1
    }
    if (values > valuesMax)
      throw new UserError(
        `The file has more than ${valuesMax / 1_000_000} million values. Is this the list of prices?`,
      )
  }
  return JSON.parse(text)
}

/**
 * Parses a file that should be JSON.
 * @throws UserError when it is not, or is refused
 */
export function parseJsonFile(text: string): unknown {
  try {
    return parseForeignJson(text)
  } catch (cause) {
    if (cause instanceof UserError) throw cause
    throw new UserError('The file is not JSON. Check that it is the data file and not a page about it.', {
      cause,
    })
  }
}

const quote = 0x22
const comma = 0x2c
const openBracket = 0x5b
const backslash = 0x5c
const openBrace = 0x7b

/** The index of the closing quote of the string that opens at `start`, or the end of the text. */
function findEnd(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === backslash) before -= 1
    if ((end - before) % 2 === 1) return end
  }
  return text.length
}
