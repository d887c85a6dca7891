export { Html, html, jsonLdScript, nothing, type Part } from '../../platform/html.ts'
