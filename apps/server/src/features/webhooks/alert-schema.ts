import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormatsModule from 'ajv-formats'

// The packages are CommonJS; their types and Node see the function under different names.
const addFormats = addFormatsModule as unknown as (ajv: Ajv2020) => void

/** Says what is wrong with a body by the contract's `webhooks` section, or null. */
export type BodyCheck = (body: unknown) => string | null

/** @param document the contract */
export function createBodyCheck(document: object): BodyCheck {
  const ajv = new Ajv2020({ strict: false })
  addFormats(ajv)
  ajv.addSchema(document, 'contract')
  const pointer = 'contract#/webhooks/changeAlert/post/requestBody/content/application~1json/schema'
  const validate = ajv.getSchema(pointer)
  if (!validate) throw new Error('The contract has no body of the webhook changeAlert.')
  return (body) => (validate(body) ? null : ajv.errorsText(validate.errors))
}
