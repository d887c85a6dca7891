import { keyPrefix } from '@ratecard/contract/api-key'
import { storableText } from '../../platform/storable-text.ts'

const lengthMax = 300
const hidden = '…'

/**
 * Path and query of a request as its account's members may see them: values of parameters that the interface does not
 * know are hidden, since programs send keys and passwords in them by mistake, and so is all that looks like a key.
 * @param parameters names whose values may be shown
 */
export function shownTarget(target: string, parameters: ReadonlySet<string>): string {
  const start = target.indexOf('?')
  const path = start === -1 ? target : target.slice(0, start)
  const shownPath = path.split('/').map(withoutKey).join('/')
  if (start === -1) return storableText(shownPath, lengthMax)
  const query = target
    .slice(start + 1, start + 1 + 8 * lengthMax)
    .split('&')
    .map((part) => shownParameter(part, parameters))
  return storableText(`${shownPath}?${query.join('&')}`, lengthMax)
}

function shownParameter(part: string, parameters: ReadonlySet<string>): string {
  const end = part.indexOf('=')
  if (end === -1) return parameters.has(part) || part === '' ? part : hidden
  const name = part.slice(0, end)
  if (!parameters.has(name)) return `${withoutKey(name)}=${hidden}`
  return `${name}=${withoutKey(part.slice(end + 1))}`
}

/** Nothing of a key, however it is encoded. */
function withoutKey(text: string): string {
  return decoded(text).toLowerCase().includes(keyPrefix) ? hidden : text
}

function decoded(text: string): string {
  // Each by itself: one that is broken hides no other.
  return text.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
}
