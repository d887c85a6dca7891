import { contractCheck, type ContractCheck } from '../../platform/contract-schemas.ts'

/** Says what is wrong with a body by the contract's `webhooks` section, or null. */
export type BodyCheck = ContractCheck

/** @param document the contract */
export function createBodyCheck(document: object): BodyCheck {
  const request = ['webhooks', 'changeAlert', 'post', 'requestBody']
  return contractCheck(document, [...request, 'content', 'application/json', 'schema'])
}
