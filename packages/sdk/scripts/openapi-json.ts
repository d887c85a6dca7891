import { readFile, writeFile } from 'node:fs/promises'
import { parse } from 'yaml'

// The contract as the package ships it: `import contract from '@ratecard/sdk/openapi.json' with { type: 'json' }`.

const contract: unknown = parse(await readFile(new URL('../../../openapi.yaml', import.meta.url), 'utf8'))
await writeFile(new URL('../openapi.json', import.meta.url), `${JSON.stringify(contract)}\n`)
