import { formatNumber } from '@ratecard/contract/wording'
import { html, nothing, type Html } from '../html.ts'
import { resolved, type Reference, type SchemaObject } from './document.ts'
import { markdown } from './markdown.ts'

/** Deeper than any body of the contract. */
const depthMax = 6

/** The fields of an object, each with its own fields below it. Of a list: the fields of what is in it. */
export function renderFields(document: object, schema: SchemaObject | Reference, depth = 0): Html {
  const object = innermost(document, schema)
  const properties = Object.entries(object.properties ?? {})
  if (properties.length === 0 || depth > depthMax) return nothing
  const required = new Set(object.required)
  return html`<ul class="fields">
    ${properties.map(([name, field]) => fieldItem(document, name, field, required.has(name), depth))}
  </ul>`
}

function fieldItem(
  document: object,
  name: string,
  field: SchemaObject | Reference,
  isRequired: boolean,
  depth: number,
): Html {
  const schema = resolved(document, field)
  const inner = renderFields(document, schema, depth + 1)
  return html`<li>
    <p class="head">
      <code>${name}</code> <span class="soft">${typeText(document, schema)}</span>
      ${!isRequired && html`<span class="badge">optional</span>`}
    </p>
    ${markdown(schema.description)} ${boundsLine(document, schema)}
    ${
      inner !== nothing &&
      html`<details>
        <summary>Fields of <code>${name}</code></summary>
        ${inner}
      </details>`
    }
  </li>`
}

/** The object that a schema is, or that its list holds. */
function innermost(document: object, schema: SchemaObject | Reference): SchemaObject {
  const found = resolved(document, schema)
  if (found.items) return innermost(document, found.items)
  const alternatives = found.oneOf ?? found.anyOf
  const [only] = (alternatives ?? [])
    .map((one) => resolved(document, one))
    .filter(({ type }) => type !== 'null')
  return only && found.properties === undefined ? innermost(document, only) : found
}

/** "integer", "string or null", "list of objects". */
export function typeText(document: object, schema: SchemaObject | Reference): string {
  const { type, items, oneOf, anyOf, format } = resolved(document, schema)
  if (items) return `list of ${typeText(document, items)}`
  const alternatives = oneOf ?? anyOf
  if (alternatives) return [...new Set(alternatives.map((one) => typeText(document, one)))].join(' or ')
  const types = typeof type === 'string' ? [type] : (type ?? [])
  const names = types.map((name) => (name === 'string' && format !== undefined ? `string (${format})` : name))
  return names.length === 0 ? 'anything' : names.join(' or ')
}

/** What a value has to be, beside its type. */
export function boundsLine(document: object, schema: SchemaObject | Reference): Html {
  const {
    enum: values,
    const: only,
    minimum,
    maximum,
    maxLength,
    maxItems,
    items,
    ...rest
  } = resolved(document, schema)
  const choices = values ?? (items ? resolved(document, items).enum : undefined)
  const facts = [
    only !== undefined && html`always <code>${JSON.stringify(only)}</code>`,
    choices &&
      html`one of ${choices.map((value, place) => html`${place > 0 && ', '}<code>${String(value)}</code>`)}`,
    rangeText(minimum, maximum),
    maxLength !== undefined && `at most ${formatNumber(maxLength)} characters`,
    maxItems !== undefined && `at most ${formatNumber(maxItems)} entries`,
    rest.default !== undefined && html`default <code>${JSON.stringify(rest.default)}</code>`,
  ].filter((fact) => fact !== false && fact !== undefined && fact !== null)
  if (facts.length === 0) return nothing
  return html`<p class="note">${facts.map((fact, place) => html`${place > 0 && ' · '}${fact}`)}</p>`
}

function rangeText(minimum: number | undefined, maximum: number | undefined): string | null {
  const [least, most] = [minimum, maximum].map((bound) =>
    bound === undefined ? undefined : formatNumber(bound),
  )
  if (least !== undefined && most !== undefined) return `from ${least} to ${most}`
  if (least !== undefined) return `at least ${least}`
  return most === undefined ? null : `at most ${most}`
}
