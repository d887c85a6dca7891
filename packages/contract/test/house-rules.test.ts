import { describe, expect, test } from 'vitest'
import { at, type Obj, readContract } from './document.ts'
import { rules } from './house-rules.ts'

describe('openapi.yaml keeps the house rules', () => {
  for (const [name, rule] of Object.entries(rules)) {
    test(name, () => {
      expect(rule(readContract())).toEqual([])
    })
  }
})

const schema = (contract: Obj, name: string): Obj => at(contract, 'components', 'schemas', name)
const property = (contract: Obj, name: string, field: string): Obj =>
  at(schema(contract, name), 'properties', field)
const parameter = (contract: Obj, name: string): Obj => at(contract, 'components', 'parameters', name)
const operation = (contract: Obj, url: string, method = 'get'): Obj => at(contract, 'paths', url, method)
const success = (contract: Obj): Obj => at(operation(contract, '/v1/prices'), 'responses', '200')
const page = (contract: Obj): Obj =>
  at(success(contract), 'content', 'application/json', 'examples', 'firstPage', 'value')

/** Each breaks the contract in one way that its rule must notice. */
const breaks: [rule: keyof typeof rules, how: string, edit: (contract: Obj) => void][] = [
  [
    'theSevenOperations',
    'an eighth operation',
    (c) => (at(c, 'paths', '/v1/usage')['post'] = { operationId: 'x' }),
  ],
  ['theSevenOperations', 'one less', (c) => delete at(c, 'paths')['/health']],
  ['theSevenOperations', 'a renamed one', (c) => (operation(c, '/v1/usage')['operationId'] = 'usage')],
  ['theSevenOperations', 'a second webhook', (c) => (at(c, 'webhooks')['test'] = { post: {} })],
  ['describedOperations', 'no operationId', (c) => delete operation(c, '/health')['operationId']],
  ['describedOperations', 'no tag', (c) => delete operation(c, '/health')['tags']],
  ['describedOperations', 'an unlisted tag', (c) => (operation(c, '/health')['tags'] = ['Helth'])],
  ['describedOperations', 'no summary', (c) => (operation(c, '/health')['summary'] = ' ')],
  ['allStatuses', 'a status less', (c) => delete at(operation(c, '/v1/prices'), 'responses')['403']],
  ['allStatuses', 'a status more', (c) => (at(operation(c, '/v1/usage'), 'responses')['429'] = {})],
  ['statedHeaders', 'a header less', (c) => delete at(success(c), 'headers')['X-RateLimit-Reset']],
  [
    'statedHeaders',
    'one that may be absent',
    (c) => (at(c, 'components', 'headers', 'Vary')['required'] = false),
  ],
  [
    'statedHeaders',
    'quota told without a key',
    (c) => {
      at(c, 'components', 'responses', 'Unauthorized', 'headers')['X-RateLimit-Limit'] = {}
    },
  ],
  [
    'alertDelivery',
    'an unsigned delivery',
    (c) => {
      at(c, 'webhooks', 'changeAlert', 'post', 'parameters', 0)['required'] = false
    },
  ],
  [
    'alertDelivery',
    'an answer less',
    (c) => delete at(c, 'webhooks', 'changeAlert', 'post', 'responses')['410'],
  ],
  [
    'alertDelivery',
    'a body that may be absent',
    (c) => delete at(c, 'webhooks', 'changeAlert', 'post', 'requestBody')['required'],
  ],
  [
    'errorBodies',
    'another body',
    (c) => {
      at(c, 'components', 'responses', 'QuotaExceeded', 'content', 'application/json')['schema'] = {
        $ref: '#/components/schemas/ErrorBody',
      }
    },
  ],
  [
    'errorBodies',
    'an example of another status',
    (c) => {
      at(
        c,
        'components',
        'responses',
        'Forbidden',
        'content',
        'application/json',
        'examples',
        'notIncluded',
        'value',
      )['status'] = 402
    },
  ],
  ['guarded', 'no global guard', (c) => delete c['security']],
  ['guarded', 'an optional guard', (c) => (c['security'] = [{ apiKey: [] }, {}])],
  ['guarded', 'an operation left open', (c) => (operation(c, '/v1/usage')['security'] = [])],
  ['guarded', 'an unknown scheme', (c) => (operation(c, '/v1/usage')['security'] = [{ key: [] }])],
  ['guarded', 'health behind a key', (c) => delete operation(c, '/health')['security']],
  ['closedObjects', 'an open object', (c) => delete schema(c, 'Price')['additionalProperties']],
  ['closedObjects', 'one that says so', (c) => (schema(c, 'ErrorBody')['additionalProperties'] = true)],
  [
    'closedObjects',
    'an open object inside a response',
    (c) => {
      at(success(c), 'content', 'application/json')['schema'] = { type: 'object', properties: {} }
    },
  ],
  ['closedObjects', 'a map of anything', (c) => (schema(c, 'EndpointCounts')['additionalProperties'] = true)],
  ['typedValues', 'an enum without type', (c) => delete schema(c, 'ErrorCode')['type']],
  ['typedValues', 'a const without type', (c) => delete property(c, 'DeletedResult', 'success')['type']],
  ['boundedIntegers', 'an open end', (c) => delete property(c, 'Change', 'severity')['maximum']],
  ['sixDecimals', 'any date-time', (c) => delete property(c, 'Change', 'verified_at')['pattern']],
  ['boundedInput', 'reserved characters refused', (c) => delete parameter(c, 'Product')['allowReserved']],
  [
    'boundedInput',
    'a new parameter without it',
    (c) => {
      operation(c, '/v1/usage')['parameters'] = [{ name: 'x', in: 'query', schema: { type: 'string' } }]
    },
  ],
  ['boundedInput', 'any length', (c) => delete schema(c, 'ExactFilter')['maxLength']],
  ['boundedInput', 'NUL', (c) => (schema(c, 'ExactFilter')['pattern'] = '.+')],
  ['fieldsOfTheInterface', 'a field less', (c) => delete at(schema(c, 'Price'), 'properties')['region']],
  [
    'fieldsOfTheInterface',
    'a field more',
    (c) => (at(schema(c, 'Webhook'), 'properties')['secret'] = { type: 'string' }),
  ],
  ['fieldsOfTheInterface', 'not nullable', (c) => (property(c, 'Price', 'region')['type'] = 'string')],
  ['fieldsOfTheInterface', 'not required', (c) => (schema(c, 'Price')['required'] = ['resource_id'])],
  ['described', 'a field without words', (c) => delete property(c, 'Price', 'region')['description']],
  ['described', 'a parameter without words', (c) => delete parameter(c, 'Since')['description']],
  [
    'haveExamples',
    'a response without',
    (c) => delete at(success(c), 'content', 'application/json')['examples'],
  ],
  ['haveExamples', 'a parameter without', (c) => delete parameter(c, 'Limit')['example']],
  ['haveExamples', 'a header without', (c) => delete at(c, 'components', 'headers', 'Vary')['example']],
  [
    'haveExamples',
    'a response without content',
    (c) => delete at(c, 'components', 'responses', 'Forbidden')['content'],
  ],
  ['validExamples', 'a misspelled keyword', (c) => (schema(c, 'Price')['requred'] = [])],
  ['validExamples', 'a keyword of another type', (c) => (property(c, 'Price', 'vendor')['minimum'] = 1)],
  ['validExamples', 'an unknown format', (c) => (property(c, 'Webhook', 'url')['format'] = 'link')],
  [
    'validExamples',
    'a dangling reference',
    (c) => (property(c, 'Change', 'access')['$ref'] = '#/components/schemas/No'),
  ],
  [
    'validExamples',
    'a required field that does not exist',
    (c) => (schema(c, 'Pagination')['required'] = ['next']),
  ],
  [
    'validExamples',
    'a wrong schema example',
    (c) => (property(c, 'Price', 'input_per_mtok')['examples'] = ['0.15']),
  ],
  ['validExamples', 'a wrong default', (c) => (property(c, 'WebhookInput', 'events')['default'] = [])],
  ['validExamples', 'a wrong parameter example', (c) => (parameter(c, 'Limit')['example'] = 501)],
  [
    'validExamples',
    'a wrong header example',
    (c) => (at(c, 'components', 'headers', 'Vary')['example'] = 'Origin'),
  ],
  ['validExamples', 'a wrong response example', (c) => (page(c)['schema_version'] = 2)],
  ['validExamples', 'an extra field in one', (c) => (page(c)['total'] = 2)],
  [
    'validExamples',
    'a wrong webhook example',
    (c) => {
      at(c, 'webhooks', 'changeAlert', 'post', 'parameters', 0)['example'] = 'sha256=AB'
    },
  ],
  ['trueCursors', 'a cursor of another row', (c) => (at(page(c), 'data', 1)['resource_id'] = 'openai:other')],
]

describe('a broken openapi.yaml is noticed', () => {
  test.each(breaks)('%s: %s', (rule, _how, edit) => {
    const contract = readContract()
    edit(contract)
    expect(rules[rule](contract)).not.toEqual([])
  })

  test('every rule is tried', () => {
    expect([...new Set(breaks.map(([rule]) => rule))].sort()).toEqual(Object.keys(rules).sort())
  })
})
