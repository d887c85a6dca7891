/**
 * A field of a CSV, as RFC 4180 has it, of text that people or sources chose. What a spreadsheet would run as a formula
 * becomes text by the apostrophe before it.
 * @param {string} text
 * @returns {string}
 */
export function csvText(text) {
  const inert = /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert
}
