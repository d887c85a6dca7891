import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'

// The packages are CommonJS; their types and Node see the function under different names.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void

/**
 * Compiles what stands in the contract, by its place: `['components', 'schemas', 'Price']`.
 * @throws Error when nothing stands there
 */
export type ContractSchemas = (place: readonly string[]) => ValidateFunction

export function contractSchemas(document: object, options: Options = {}): ContractSchemas {
  const ajv = new Ajv2020({ strict: false, ...options })
  addFormats(ajv)
  ajv.addSchema(document, 'contract')
  return (place) => {
    const pointer = place.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')))
    const validate = ajv.getSchema(`contract#/${pointer.join('/')}`)
    if (!validate) throw new Error(`The contract has nothing at ${place.join(' ')}.`)
    return validate as ValidateFunction
  }
}
