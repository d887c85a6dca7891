import { html, nothing, type Html } from '../html.ts'
import {
  resolved,
  type MediaObject,
  type ParameterObject,
  type ReferenceDocument,
  type ReferenceOperation,
  type ResponseObject,
} from './document.ts'
import { inlineMarkdown, markdown } from './markdown.ts'
import { boundsLine, renderFields, typeText } from './schema.ts'

/** One operation: what it does, how it is asked, what it answers, and a form that asks it. */
export function operationSection(
  document: ReferenceDocument,
  { method, path, operation, isPublic }: ReferenceOperation,
  publicUrl: string,
): Html {
  const parameters = (operation.parameters ?? []).map((one) => resolved<ParameterObject>(document, one))
  const body = operation.requestBody?.content['application/json']
  const bodyExample = firstExample(body)
  return html`<section
    class="operation"
    id="${operation.operationId}"
    aria-labelledby="${operation.operationId}-name"
  >
    <h3 id="${operation.operationId}-name">${operation.summary ?? operation.operationId}</h3>
    <p class="call"><span class="badge" data-method="${method}">${method}</span> <code>${path}</code></p>
    ${markdown(operation.description)} ${isPublic && html`<p class="note">Needs no key.</p>`}
    ${parameters.length > 0 && parameterList(document, parameters)}
    ${
      body?.schema &&
      html`<h4>Body</h4>
        ${markdown(operation.requestBody?.description)} ${renderFields(document, body.schema)}`
    }
    <pre
      aria-label="The request with curl"
      tabindex="0"
    ><code>${writeCurl(publicUrl, { method, path, isPublic, bodyExample })}</code></pre>
    ${tryForm({ method, path, isPublic, parameters, bodyExample })}
    <h4>Answers</h4>
    ${Object.entries(operation.responses ?? {}).map(([status, response]) =>
      answer(document, status, resolved<ResponseObject>(document, response)),
    )}
  </section>`
}

function parameterList(document: object, parameters: readonly ParameterObject[]): Html {
  return html`<h4>Parameters</h4>
    <ul class="fields">
      ${parameters.map(
        ({ name, schema, description, required }) =>
          html`<li>
            <p class="head">
              <code>${name}</code>
              ${schema && html`<span class="soft">${typeText(document, schema)}</span>`}
              ${required !== true && html`<span class="badge">optional</span>`}
            </p>
            ${markdown(description)} ${schema ? boundsLine(document, schema) : nothing}
          </li>`,
      )}
    </ul>`
}

function answer(document: object, status: string, { description, headers, content }: ResponseObject): Html {
  const media = content?.['application/json']
  const examples = Object.values(media?.examples ?? {})
  return html`<details class="answer">
    <summary>
      <span class="badge ${chooseTone(status)}">${status}</span> ${inlineMarkdown(firstSentence(description))}
    </summary>
    ${markdown(description.slice(firstSentence(description).length).trim() || undefined)}
    ${
      headers &&
      html`<h5>Headers</h5>
        <ul class="fields">
          ${Object.entries(headers).map(
            ([name, header]) =>
              html`<li>
                <p class="head"><code>${name}</code></p>
                ${markdown(resolved<ParameterObject>(document, header).description)}
              </li>`,
          )}
        </ul>`
    }
    ${
      media?.schema &&
      html`<h5>Body</h5>
        ${renderFields(document, media.schema)}`
    }
    ${examples.map(
      ({ summary, value }) =>
        html`<h5>${summary ?? 'Example'}</h5>
          <pre tabindex="0"><code>${JSON.stringify(value, null, 2)}</code></pre>`,
    )}
  </details>`
}

function chooseTone(status: string): string {
  return status.startsWith('2') ? 'good' : 'warn'
}

function firstSentence(text: string): string {
  return /^[^]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text
}

function firstExample(media: MediaObject | undefined): string | null {
  const [first] = Object.values(media?.examples ?? {})
  return first === undefined ? null : JSON.stringify(first.value, null, 2)
}

interface Asking {
  method: string
  path: string
  isPublic: boolean
  bodyExample: string | null
}

function writeCurl(publicUrl: string, { method, path, isPublic, bodyExample }: Asking): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}"${publicUrl}${path.replaceAll(/\{(\w+)\}/g, '$$$1')}"`,
    ...(isPublic ? [] : ['  -H "Authorization: Bearer $RATECARD_API_KEY"']),
    ...(bodyExample === null ? [] : ['  -H "Content-Type: application/json"', `  -d '${bodyExample}'`]),
  ]
  return lines.join(' \\\n')
}

/** Shown by the page's script, which sends it. Nothing is filled in: an example's cursor or filter finds nothing. */
function tryForm({
  method,
  path,
  isPublic,
  parameters,
  bodyExample,
}: Asking & { parameters: readonly ParameterObject[] }): Html {
  return html`<form
    class="try panel"
    data-method="${method}"
    data-path="${path}"
    data-public="${String(isPublic)}"
    hidden
  >
    <h4>Try it</h4>
    <div class="inputs">
      ${parameters.map(
        ({ name, in: place, required, example }) =>
          html`<label class="field"
            ><span>${name}</span
            ><input
              name="${name}"
              data-in="${place}"
              placeholder="${typeof example === 'string' || typeof example === 'number' ? example : ''}"
              autocomplete="off"
              spellcheck="false"
              ${required === true && html`required`}
          /></label>`,
      )}
    </div>
    ${
      bodyExample !== null &&
      html`<label class="field"
        ><span>Body</span><textarea name="body" rows="6" spellcheck="false">${bodyExample}</textarea>
      </label>`
    }
    <p>
      <button class="btn" type="submit">Send the request</button>
      ${!isPublic && html`<span class="note">It is a real request with your key.</span>`}
    </p>
    <div class="result" role="status"></div>
  </form>`
}
