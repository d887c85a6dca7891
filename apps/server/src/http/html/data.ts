import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { sourceName } from '@ratecard/contract/model-name'
import { formatCount, formatNumber } from '@ratecard/contract/wording'
import {
  listExports,
  readExportFile,
  snapshotName,
  toMediaType,
  type ExportEntry,
} from '../../catalog/export-store.ts'
import { listSourceStatus, type SourceStatus } from '../../ingest/publish/source-status.ts'
import { lookUp } from '../../ingest/match/identify.ts'
import { addresses, type SourceAddress } from '../../ingest/sources/addresses.ts'
import { formatBytes } from '../../platform/format-bytes.ts'
import { html, nothing, type Html } from './html.ts'
import type { CreatePage } from './layout.ts'
import type { PageCache } from './page-cache.ts'
import { cardTable, instant } from './parts.ts'
import { foreignLink } from './words.ts'

/** A row for each price, for analysts: what each file is, and how one reads it. */
const tables: Readonly<Record<string, { name: string; lines: (url: string) => string }>> = {
  'prices.csv': {
    name: 'CSV',
    lines: (url) => `curl --compressed -sfO ${url}
python3 -c "import csv; print(*[row['output_per_mtok'] for row in csv.DictReader(open('prices.csv')) if row['product_id'] == 'openai/gpt-4o'])"`,
  },
  'prices.parquet': {
    name: 'Parquet',
    lines: (url) => `curl -sfO ${url}
duckdb -c "SELECT platform, input_per_mtok, output_per_mtok FROM 'prices.parquet' WHERE product_id = 'openai/gpt-4o' ORDER BY ALL"
python3 -c "import pandas; print(pandas.read_parquet('prices.parquet').groupby('platform').input_per_mtok.median())"`,
  },
  'prices.sqlite': {
    name: 'SQLite',
    lines: (url) => `curl --compressed -sfO ${url}
sqlite3 prices.sqlite "SELECT platform, input_per_mtok, output_per_mtok FROM prices WHERE product_id = 'openai/gpt-4o'"`,
  },
}

/** Whose each file is, and how it loads the file. */
const tools: Readonly<Record<string, { name: string; setting: (url: string) => string }>> = {
  'litellm.json': { name: 'LiteLLM', setting: (url) => `LITELLM_MODEL_COST_MAP_URL=${url}` },
  'genai-prices.json': { name: 'genai-prices', setting: (url) => `UpdatePrices(url='${url}')` },
  'models.dev.json': {
    name: 'models.dev, opencode',
    setting: (url) => `OPENCODE_MODELS_URL=${new URL('/models.dev', url).href}`,
  },
  'bifrost.json': { name: 'Bifrost', setting: (url) => `framework.pricing.pricing_url: ${url}` },
  'agentgateway.json': { name: 'agentgateway', setting: () => 'modelCatalog.sources' },
  'openlit.json': { name: 'OpenLIT', setting: (url) => `OPENLIT_PRICING_JSON=${url}` },
  'langfuse.json': { name: 'Langfuse', setting: () => 'default-model-prices.json' },
  'nemo-relay.json': { name: 'NVIDIA NeMo Relay', setting: () => '[[components.config.sources]]' },
  'new-api.json': { name: 'new-api', setting: (url) => `Upstream ratio sync: ${url}` },
  'focus.csv': { name: 'FOCUS price sheet (CSV)', setting: () => 'SkuPriceId, ListUnitPrice' },
}

/** Everything, as files: what there is, how large and how old, and how to load it. */
export function dataPage(pages: PageCache, createPage: CreatePage) {
  const { publicUrl } = createPage
  return pages.handler(() => ({
    key: '/data',
    // Exports are made a moment after the list has moved.
    msMax: 60_000,
    render: async ({ db, catalogue, ages }) => {
      const entries = [...(await listExports(db)).values()]
      const key = await readExportFile(db, 'ed25519.pem')
      const snapshotUrl = `${publicUrl}/snapshot.json`
      const snapshot = entries.find(({ name }) => name === snapshotName)
      return createPage({
        title: 'Download all AI model prices',
        description: `${formatNumber(catalogue.rowCount)} AI model prices in one file, free and without a key: JSON, CSV, Parquet, SQLite, and the files that LiteLLM, genai-prices, models.dev, Langfuse and other tools load.`,
        canonical: '/data',
        section: '/data',
        ages,
        jsonLd: structuredData(publicUrl, entries),
        body: html`<h1>Download all prices</h1>
          <p class="lead">
            ${formatNumber(catalogue.rowCount)} prices of ${formatCount(catalogue.models.length, 'model')},
            with rate cards, announced prices and sources. Free, without a key, from any page (<code
              >Access-Control-Allow-Origin: *</code
            >).
          </p>
          <pre tabindex="0"><code>curl --compressed -O ${snapshotUrl}</code></pre>
          <pre tabindex="0"><code>import json, urllib.request
snapshot = json.load(urllib.request.urlopen("${snapshotUrl}"))
for price in snapshot["resources"]:
    print(price["resource_id"], price["input_per_mtok"], price["output_per_mtok"])</code></pre>
          <p class="soft">
            ${snapshot && html`${formatBytes(snapshot.bytes)}, made ${instant(snapshot.made_at)}. `}Its form
            is in the <a href="/snapshot.schema.json">JSON Schema</a>. Ask again with
            <code>If-None-Match</code>: an unchanged file costs nothing.
          </p>
          ${entries.length > 0 ? tableSection(entries, publicUrl) : nothing}
          <h2 id="tools">For your tools</h2>
          ${
            entries.length === 0
              ? html`<p class="panel">The files are being made. Look again in a minute.</p>`
              : toolTable(entries, publicUrl)
          }
          ${licences(await listSourceStatus(db))}
          ${key ? checking(publicUrl, gunzipSync(key.gzip).toString()) : nothing}`,
      })
    },
  }))
}

function tableSection(entries: readonly ExportEntry[], publicUrl: string): Html {
  const there = entries.filter(({ name }) => name in tables)
  return html`<h2 id="analysis">For analysis</h2>
    <p class="soft">A row for each price, the same columns in each file; what is unknown is null or empty.</p>
    ${there.map(
      ({ name, bytes, made_at }) =>
        html`<h3>${tables[name]!.name}</h3>
          <p class="soft">
            <a href="/exports/${name}">${name}</a>, ${formatBytes(bytes)}, last changed ${instant(made_at)}
          </p>
          <pre tabindex="0"><code>${tables[name]!.lines(`${publicUrl}/exports/${name}`)}</code></pre>`,
    )}`
}

function toolTable(entries: readonly ExportEntry[], publicUrl: string): Html {
  const files = new Map(entries.map((entry) => [entry.name, entry]))
  const there = Object.entries(tools).flatMap(([name, tool]) => {
    const entry = files.get(name)
    return entry ? [{ entry, ...tool }] : []
  })
  return html`<p class="soft">
      The same prices in the forms that other tools load, made ${instant(entries[0]!.made_at)}. A report
      beside each file says what its form cannot hold.
    </p>
    ${cardTable(
      'Files for tools',
      html`<th scope="col">Tool</th>
        <th scope="col">Setting</th>
        <th scope="col">File</th>
        <th scope="col" class="num">Size</th>`,
      there.map(
        ({ entry, name, setting }) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td data-label="Setting"><code>${setting(`${publicUrl}/exports/${entry.name}`)}</code></td>
            <td data-label="File">
              <a href="/exports/${entry.name}">${entry.name}</a> ·
              <a href="/exports/${entry.name.replace(/\.[^.]+$/, '')}.report.json">report</a>
            </td>
            <td class="num" data-label="Size">${formatBytes(entry.bytes)}</td>
          </tr>`,
      ),
    )}`
}

/** Under which licence each source publishes whose rows are in the files. */
function licences(statuses: readonly SourceStatus[]): Html {
  const there = statuses.filter(({ rows }) => rows !== null && rows > 0)
  if (there.length === 0) return nothing
  return html`<h2 id="licences">Licences of the sources</h2>
    ${cardTable(
      'Licences of the sources',
      html`<th scope="col">Source</th>
        <th scope="col">Licence</th>
        <th scope="col">Published at</th>`,
      there.map(({ id }) => {
        const { url, licence } = lookUp<SourceAddress>(addresses, id) ?? { url: null, licence: null }
        return html`<tr>
          <th scope="row">${sourceName(id)}</th>
          <td data-label="Licence">
            ${licence === null ? 'none stated' : foreignLink(`https://spdx.org/licenses/${licence}.html`, licence)}
          </td>
          <td data-label="Published at">${foreignLink(url, url ?? 'not published')}</td>
        </tr>`
      }),
    )}`
}

function checking(publicUrl: string, key: string): Html {
  const der = Buffer.from(key.replaceAll(/-----.*-----/g, ''), 'base64')
  return html`<h2 id="signature">Check what you got</h2>
    <p class="soft">
      <a href="/exports/SHA256SUMS">SHA256SUMS</a> has the hash of each file, and is signed with the
      <a href="/exports/ed25519.pem">Ed25519 key</a> of this installation. Keep it, once:
    </p>
    <pre tabindex="0"><code>${key}</code></pre>
    <p class="soft">Its fingerprint, the SHA-256 of what the lines say, is the same from every network:</p>
    <pre tabindex="0"><code>${createHash('sha256').update(der).digest('hex')}
openssl pkey -pubin -in ed25519.pem -outform DER | sha256sum</code></pre>
    <p class="soft">
      Then, with OpenSSL 3, or <code>verifyExport</code> of <code>@ratecard/cost/verify</code> in any
      JavaScript:
    </p>
    <pre tabindex="0"><code>curl -sfO ${publicUrl}/exports/SHA256SUMS -O ${publicUrl}/exports/SHA256SUMS.sig
openssl pkeyutl -verify -pubin -inkey ed25519.pem -rawin -in SHA256SUMS -sigfile SHA256SUMS.sig
sha256sum --check --ignore-missing SHA256SUMS</code></pre>`
}

/** What search engines of data sets read. */
function structuredData(publicUrl: string, entries: readonly ExportEntry[]): object {
  const download = (path: string, encodingFormat: string) => ({
    '@type': 'DataDownload',
    encodingFormat,
    contentUrl: publicUrl + path,
  })
  return {
    '@context': 'https://schema.org',
    '@type': 'Dataset',
    name: 'AI model prices',
    description:
      'What AI models cost on every platform, with rate cards, announced prices and the sources behind each price.',
    url: `${publicUrl}/data`,
    isAccessibleForFree: true,
    creator: { '@type': 'Organization', name: 'Ratecard', url: publicUrl },
    variableMeasured: ['input_per_mtok', 'output_per_mtok', 'cached_input_per_mtok'],
    ...(entries[0] && { dateModified: entries[0].made_at }),
    distribution: [
      download('/snapshot.json', 'application/json'),
      ...entries
        .filter(({ name }) => name in tools || name in tables)
        .map(({ name }) => download(`/exports/${name}`, toMediaType(name).split(';')[0]!)),
    ],
  }
}
