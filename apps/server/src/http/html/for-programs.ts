import { findPlatform, type Model } from '../../catalog/catalogue.ts'
import { html, type Html } from './html.ts'
import { productPath } from './words.ts'

/** How a program asks for a model's prices, and how another page shows them. */
export function forPrograms({ id, isProduct, name, rows }: Model, publicUrl: string): Html {
  const [filter, value] = isProduct ? ['product', id] : ['platform', findPlatform(rows[0]!)]
  return html`<h2>API</h2>
    <pre tabindex="0"><code>curl -H "Authorization: Bearer $RATECARD_API_KEY" \\
  "${publicUrl}/v1/prices?${filter}=${encodeURIComponent(value)}"</code></pre>
    <details>
      <summary>With TypeScript</summary>
      <pre tabindex="0"><code>import { Ratecard } from '@ratecard/sdk'

// The key is read from RATECARD_API_KEY.
const client = new Ratecard({ baseUrl: '${publicUrl}' })
for await (const price of client.prices.list({ ${filter}: ${JSON.stringify(value)} })) {
  console.log(price.resource_id, price.input_per_mtok, price.output_per_mtok, price.currency)
}</code></pre>
    </details>
    <p class="soft">
      <a href="/dashboard/sign-up">A free key</a> gives you 100 requests a day. Price alerts come with a
      <a href="/plans">plan</a>.
    </p>
    ${isProduct && badgeSection(id, name, publicUrl)}`
}

/** The price as a picture for other pages: small, or as large as links show it. */
function badgeSection(id: string, name: string, publicUrl: string): Html {
  const page = productPath(id)
  // What is copied from here stands in pages of others: no name of a source writes markup there.
  const safeName = name.replaceAll(/[^\p{L}\p{N} .,:+-]/gu, '')
  const badge = `/badge${page.slice('/models'.length)}.svg`
  return html`<h2>Badge</h2>
    <p><img loading="lazy" src="${badge}" alt="${name}: price" height="20" /></p>
    <pre tabindex="0"><code>[![${safeName} price](${publicUrl}${badge})](${publicUrl}${page})</code></pre>
    <details>
      <summary>As a card, in HTML</summary>
      <pre
        tabindex="0"
      ><code>&lt;a href="${publicUrl}${page}"&gt;&lt;img src="${publicUrl}/pictures${page}.png" width="600" alt="${safeName}: price"&gt;&lt;/a&gt;</code></pre>
    </details>`
}
