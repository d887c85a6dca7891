import { filterNames, type PriceFilter } from './price-index.ts'

// The present filter as a request. The snippets name the key's variable, because the page does not know the key.

/** The largest page: it needs the fewest requests. */
const limit = 500

/** @param baseUrl the server's address, without a slash at its end */
export function curlCommand(baseUrl: string, filter: PriceFilter): string {
  const query = new URLSearchParams(chosen(filter))
  query.set('limit', String(limit))
  return `curl '${baseUrl}/v1/prices?${query.toString()}' \\
  --header "Authorization: Bearer $RATECARD_API_KEY"
`
}

export function sdkCode(baseUrl: string, filter: PriceFilter): string {
  const params = [...chosen(filter).map(([name, value]) => `${name}: ${literal(value)}`), `limit: ${limit}`]
  return `import { Ratecard } from '@ratecard/sdk'

// The key is read from RATECARD_API_KEY.
const client = new Ratecard({ baseUrl: ${literal(baseUrl)} })

for await (const price of client.prices.list({ ${params.join(', ')} })) {
  console.log(price.resource_id, price.input_per_mtok, price.output_per_mtok, price.currency)
}
`
}

function chosen(filter: PriceFilter): [string, string][] {
  return filterNames.flatMap((name): [string, string][] => {
    const value = filter[name]
    return value === null ? [] : [[name, value]]
  })
}

function literal(text: string): string {
  return `'${text.replaceAll(/['\\]/g, (character) => `\\${character}`)}'`
}
