import type { Question } from './pair.ts'

// What is decided before an operation runs: paths, methods and credentials.

const words = (text: string) => text.split(/\s+/).filter(Boolean)

const paths = words('/health /v1/prices /v1/changes /v1/webhooks /v1/webhooks/x /v1/usage')
const methods = words('GET HEAD POST PUT PATCH DELETE OPTIONS PROPFIND get')
const strayPaths = words(`
  /v1 /v1/ /v1/prices/ /v1/Prices /V1/prices /v2/prices /v1/prices/x /v1//prices //v1/prices /health/ /Health
  /v1/webhooks/ /v1/webhooks/a/b /v1/usage/today /v1/%70rices /v1/prices%2F /v1/toString /v1x /nothing /v1/prices;x
  /v1/webhooks/. /v1/webhooks/.. /v1/webhooks/%2e%2e
`)

export const routingQuestions: Question[] = [
  ...paths.flatMap((path) => methods.map((method) => ({ path, method }))),
  ...strayPaths.map((path) => ({ path })),
  ...words('/health?x=1 /health? /v1/usage?x=1 /v1/usage? /v1/usage?limit=1').map((path) => ({ path })),
  { path: '/v1/webhooks/..', method: 'DELETE' },
  { path: '/v1/nothing', method: 'DELETE', authorization: null },
  { path: '/v1/prices', method: 'DELETE', authorization: null },
  { path: '/health', authorization: null },
  { path: '/health', authorization: 'Bearer nonsense' },
]

const authorizations = [
  ...[
    null,
    '',
    'Bearer',
    'Bearer ',
    '{key}',
    'Bearer{key}',
    'Bearer\t{key}',
    'Bearer {key} x',
    'Bearer "{key}"',
  ],
  ...[
    'Token {key}',
    'Basic {key}',
    'Bearer {key}, Bearer {key}',
    'Bearer {key}0',
    'bearer {key}',
    'BEARER   {key}',
  ],
  ...['Bearer rc_live_x', 'Bearer x', `Bearer rc_live_${'0'.repeat(36)}`],
]

export const credentialQuestions: Question[] = words('/v1/prices?vendr=1 /v1/changes /v1/webhooks /v1/usage')
  .concat('/v1/webhooks/x')
  .flatMap((path) => authorizations.map((authorization) => ({ path, authorization })))
