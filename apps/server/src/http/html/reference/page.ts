import { html, type Html } from '../html.ts'
import { listOperations, type OperationObject, type ReferenceDocument } from './document.ts'
import { buildAnchor, findHeadings, markdown } from './markdown.ts'
import { operationSection } from './operation.ts'
import { renderFields } from './schema.ts'

/** The reference of the public interface: the contract in words, readable without a script. */
export function referenceBody(document: ReferenceDocument, publicUrl: string): Html {
  const description = document.info.description ?? ''
  const tags = (document.tags ?? [])
    .map((tag) => ({ ...tag, operations: listOperations(document, tag.name) }))
    .filter(({ operations }) => operations.length > 0)
  const webhooks = Object.values(document.webhooks ?? {}).flatMap((item) => Object.values(item))
  return html`<div class="reference">
    <nav aria-label="On this page">
      <ul>
        ${findHeadings(description).map(
          (heading) => html`<li><a href="#${buildAnchor(heading)}">${heading}</a></li>`,
        )}
      </ul>
      ${tags.map(
        ({ name, operations }) =>
          html`<p>${name}</p>
            <ul>
              ${operations.map(
                ({ method, operation }) =>
                  html`<li>
                    <a href="#${operation.operationId}"
                      ><span class="soft">${method}</span> ${operation.summary ?? operation.operationId}</a
                    >
                  </li>`,
              )}
            </ul>`,
      )}
      ${
        webhooks.length > 0 &&
        html`<p>Change alerts</p>
          <ul>
            ${webhooks.map(
              (operation) =>
                operation &&
                html`<li>
                  <a href="#${operation.operationId}">${operation.summary ?? operation.operationId}</a>
                </li>`,
            )}
          </ul>`
      }
    </nav>
    <div>
      <h1>API reference</h1>
      <p class="lead">
        Seven operations over HTTPS, in JSON. The same as a document for tools:
        <a href="/openapi.yaml">openapi.yaml</a>, <a href="/openapi.json">openapi.json</a>. With TypeScript,
        the client does all of it: <code>npm install @ratecard/sdk</code>. Agents have tools at
        <code>${publicUrl}/mcp</code> (MCP over streamable HTTP), which need no key.
      </p>
      <div class="panel" data-key hidden>
        <label class="field"
          ><span>Your API key, for “Try it”: it stays on this page, and is forgotten when you leave it</span
          ><input type="password" name="key" autocomplete="off" spellcheck="false" placeholder="rc_live_…"
        /></label>
        <p class="note">
          Without one: <a href="/dashboard/sign-up">sign up</a>, then
          <a href="/dashboard/keys">create a key</a>.
        </p>
      </div>
      ${markdown(description)}
      ${tags.map(
        ({ name, description: about, operations }) =>
          html`<h2 id="${buildAnchor(name)}-operations">${name}</h2>
            ${markdown(about)}
            ${operations.map((operation) => operationSection(document, operation, publicUrl))}`,
      )}
      ${webhooks.map((operation) => operation && alertSection(document, operation))}
    </div>
  </div>`
}

/** What is sent to customers' endpoints. */
function alertSection(document: ReferenceDocument, operation: OperationObject): Html {
  const media = operation.requestBody?.content['application/json']
  const examples = Object.values(media?.examples ?? {})
  return html`<section class="operation" id="${operation.operationId}">
    <h2>${operation.summary ?? operation.operationId}</h2>
    ${markdown(operation.description)} ${media?.schema && renderFields(document, media.schema)}
    ${examples.map(
      ({ summary, value }) =>
        html`<h3>${summary ?? 'Example'}</h3>
          <pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`,
    )}
  </section>`
}
