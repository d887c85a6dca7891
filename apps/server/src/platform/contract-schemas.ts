import { Ajv2020, type Options, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'

// The packages are CommonJS; their types and Node see the function under different names.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void

/** Says what is wrong with a value by the contract, or null. */
export type ContractCheck = (value: unknown) => string | null

/** By document: its schemas are read once, and what is asked for again is compiled already. */
const compilers = new WeakMap<object, ReturnType<typeof schemaCompiler>>()

/**
 * The check of what stands at a path in the contract, such as `['components', 'schemas', 'Price']`.
 * @throws Error when nothing stands there
 */
export function contractCheck(document: object, path: readonly string[]): ContractCheck {
  const compile = compilers.get(document) ?? schemaCompiler(document)
  compilers.set(document, compile)
  const validate = compile(path)
  return (value) => {
    if (validate(value)) return null
    const complaints = validate.errors?.map(({ instancePath, message }) => `data${instancePath} ${message}`)
    return complaints?.join(', ') ?? 'it is wrong'
  }
}

/** Compiles what stands at a path in the contract, with options of the caller's own. */
export function schemaCompiler(
  document: object,
  options: Options = {},
): (path: readonly string[]) => ValidateFunction {
  const ajv = new Ajv2020({ strict: false, ...options })
  addFormats(ajv)
  ajv.addSchema(document, 'contract')
  return (path) => {
    const pointer = path.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')))
    const validate = ajv.getSchema(`contract#/${pointer.join('/')}`)
    if (!validate) throw new Error(`The contract has nothing at ${path.join(' ')}.`)
    return validate as ValidateFunction
  }
}
