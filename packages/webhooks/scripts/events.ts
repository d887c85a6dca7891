import { mkdir, writeFile } from 'node:fs/promises'
import { contract, Models } from '../../contract/scripts/models.ts'

// What the contract sends to receivers.

const bodies = Object.values(contract.webhooks).map(
  ({ post }) => post.requestBody.content['application/json'].schema,
)
const names = bodies.map(({ $ref = '' }) => $ref.split('/').pop()!)
const models = new Models(['AlertedChange', ...names], {
  openLists: { ChangeCategory: 'Change.category' },
  like: { 'AlertedChange.category': 'Change.category' },
  open: (values) => `${values.trimEnd()}\n  | (string & {})`,
  closed: (values) => values,
})

const text = [
  '// Made from openapi.yaml by scripts/events.ts. Do not edit: change openapi.yaml and run `pnpm generate`.\n',
  ...models.declarations(),
  `/** The content of a delivery. \`event\` distinguishes the kinds. */
export type RatecardWebhookEvent = ${names.join(' | ')}
`,
  `export const eventNames: readonly string[] = ${JSON.stringify(models.listValues(names, 'event'))}\n`,
]

const folder = new URL('../src/generated/', import.meta.url)
await mkdir(folder, { recursive: true })
await writeFile(new URL('events.ts', folder), text.join('\n'))
