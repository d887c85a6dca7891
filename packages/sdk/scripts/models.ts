import { mkdir, writeFile } from 'node:fs/promises'
import { Models } from '../../contract/scripts/models.ts'

// What travels over the wire and what a call takes, as the contract has it.

const models = new Models(
  [
    ...['Price', 'Change', 'ChangeAlternative', 'WebhookEvent', 'Webhook', 'DeletedResult', 'DailyQuota'],
    ...['EndpointCounts', 'TopupPack', 'TopupBalance', 'Usage', 'Health', 'ErrorCode'],
  ],
  {
    openLists: {
      Modality: 'Price.modality',
      PriceUnit: 'Price.unit',
      ChangeCategory: 'Change.category',
      ChangeStatus: 'Change.status',
    },
    like: {
      'Change.modality': 'Price.modality',
      'PriceListParams.modality': 'Price.modality',
      'ChangeListParams.category': 'Change.category',
    },
    open: (values) => `Open<${values}>`,
    closed: (values) => `Open<${values}>`,
  },
)

const filters = 'where to begin. All filters are exact, case-sensitive and combined with "and".'
/** What is ours of a list's parameters: instants may be Dates, and lists are walked. */
const own = {
  since: {
    type: 'Date | string',
    description:
      'Only rows whose `updated_at` is this instant or later: a Date, or an RFC 3339 instant with an offset.',
  },
  cursor: {
    type: 'string',
    description:
      'Where to begin: the `nextCursor` of a page, or the `cursor` of an error, with the same filters.',
  },
  limit: {
    type: 'number',
    description:
      'Rows per page, 1 to 500. When left out, walks ask for 500 and the first page alone has 100. It does not end a walk: see `toArray` for that.',
  },
}

const text = [
  `// Made from openapi.yaml by scripts/models.ts. Do not edit: change openapi.yaml and run \`pnpm generate\`.

/**
 * What travels over the wire, by name. Responses are handed on as received: fields that a newer server adds are there
 * at run time, and a string with known values may hold others in future.
 */

/** Known values, open for those of a newer server: editors complete the known ones, and any other string is allowed. */
export type Open<Known extends string> = Known | (string & {})
`,
  ...models.declarations(),
  models.query('PriceListParams', 'listPrices', `Which price records, and ${filters}`, own),
  models.query('ChangeListParams', 'listChanges', `Which changes, and ${filters}`, own),
  models.input('WebhookCreateParams', { $ref: 'WebhookInput' }),
]

const folder = new URL('../src/generated/', import.meta.url)
await mkdir(folder, { recursive: true })
await writeFile(new URL('models.ts', folder), text.join('\n'))
