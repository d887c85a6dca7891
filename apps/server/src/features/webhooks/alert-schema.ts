import { contractSchemas } from '../../platform/contract-schemas.ts'

/** Says what is wrong with a body by the contract's `webhooks` section, or null. */
export type BodyCheck = (body: unknown) => string | null

/** @param document the contract */
export function createBodyCheck(document: object): BodyCheck {
  const request = ['webhooks', 'changeAlert', 'post', 'requestBody']
  const validate = contractSchemas(document)([...request, 'content', 'application/json', 'schema'])
  return (body) => {
    if (validate(body)) return null
    const complaints = validate.errors?.map(({ instancePath, message }) => `data${instancePath} ${message}`)
    return complaints?.join(', ') ?? 'it is wrong'
  }
}
