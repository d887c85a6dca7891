import type { WebhookInput } from '@ratecard/contract'
import { createAddressGuard } from '@ratecard/contract/addresses'
import { ApiError, invalidRequest } from '@ratecard/contract/errors'
import { bodyBytesMax, isPlainJson, parseJsonBody } from '@ratecard/contract/input'
import { webhookSecretProblem, webhookUrlProblem } from '@ratecard/contract/webhook-url'
import { checkValue, type Schema } from './schema.ts'

const isAllowedAddress = createAddressGuard()

/**
 * The body of `POST /v1/webhooks`, read in the order of the service: media type, size, UTF-8, JSON, fields.
 * @throws ApiError unsupported_media_type, payload_too_large, invalid_request
 */
export function readWebhookInput(bytes: Uint8Array, headers: Headers, schema: Schema): WebhookInput {
  if (bytes.length === 0) throw invalidRequest("The body must have required property 'body'.")
  const isJson = isPlainJson(headers.get('content-type') ?? '', headers.get('content-encoding') ?? '')
  if (!isJson) throw new ApiError('unsupported_media_type')
  if (bytes.length > bodyBytesMax) throw new ApiError('payload_too_large')
  const body = parseJsonBody(bytes)
  checkValue(body, schema)
  const events = schema.properties?.events?.default as WebhookInput['events']
  const input = { events, ...(body as Omit<WebhookInput, 'events'>) }
  const problem = webhookUrlProblem(input.url, isAllowedAddress) ?? webhookSecretProblem(input.secret)
  if (problem !== null) throw invalidRequest(problem)
  return input
}
