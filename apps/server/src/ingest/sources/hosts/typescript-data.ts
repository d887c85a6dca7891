import { parseExpressionAt, type Expression, type SpreadElement } from 'acorn'

/**
 * The value that a TypeScript file exports as its default, where it is written out: objects, lists, texts and numbers.
 * Nothing is run: what would have to be (a function, a name) is undefined.
 * @returns undefined when the file exports no such value
 */
export function readDefaultExport(text: string): unknown {
  const [found] = /^export default\s*(?=\{)/m.exec(text) ?? []
  if (found === undefined) return undefined
  try {
    // Of one expression only: what TypeScript adds behind it is not read.
    const expression = parseExpressionAt(text, text.indexOf(found) + found.length, { ecmaVersion: 'latest' })
    return toValue(expression)
  } catch {
    return undefined
  }
}

function toValue(node: Expression | SpreadElement | null): unknown {
  switch (node?.type) {
    case 'Literal':
      return node.value
    case 'TemplateLiteral':
      return node.expressions.length === 0 ? node.quasis[0]?.value.cooked : undefined
    case 'UnaryExpression':
      return node.operator === '-' ? -Number(toValue(node.argument)) : undefined
    case 'ArrayExpression':
      return node.elements.map(toValue)
    case 'ObjectExpression':
      return Object.fromEntries(
        node.properties.flatMap((property) => {
          // What is spread into it, or computed, is written elsewhere.
          if (property.type !== 'Property' || property.computed) return []
          const { key, value } = property
          const name =
            key.type === 'Identifier' ? key.name : key.type === 'Literal' ? String(key.value) : null
          return name === null ? [] : [[name, toValue(value)]]
        }),
      )
    default:
      return undefined
  }
}
