// The first request in three languages, with the key of the moment or, when that is not shown any more, its variable.

const variable = 'RATECARD_API_KEY'

export const languages = [
  { value: 'curl', label: 'curl' },
  { value: 'typescript', label: 'TypeScript' },
  { value: 'python', label: 'Python' },
] as const
export type Language = (typeof languages)[number]['value']

/** @param key null: it is not shown any more */
export function firstRequest(language: Language, baseUrl: string, key: string | null): string {
  switch (language) {
    case 'curl':
      return `curl "${baseUrl}/v1/prices?limit=1" \\
  --header "Authorization: Bearer ${key ?? `$${variable}`}"
`
    case 'typescript':
      return `// npm install @ratecard/sdk
import { Ratecard } from '@ratecard/sdk'

const client = new Ratecard({
  baseUrl: '${baseUrl}',
  apiKey: ${key === null ? `process.env.${variable}` : `'${key}'`},
})
for (const price of await client.prices.list({ limit: 1 })) console.log(price)
`
    case 'python':
      return `${key === null ? 'import os\n' : ''}import json
import urllib.request

request = urllib.request.Request(
    "${baseUrl}/v1/prices?limit=1",
    headers={"Authorization": ${key === null ? `f"Bearer {os.environ['${variable}']}"` : `"Bearer ${key}"`}},
)
print(json.load(urllib.request.urlopen(request))["data"][0])
`
  }
}
