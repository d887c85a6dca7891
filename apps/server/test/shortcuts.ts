/** With `SHORTCUTS=none` in the environment the same tests run on servers without shortcuts. */
export function shortcuts(): Record<string, string> {
  const { SHORTCUTS } = process.env
  return SHORTCUTS === undefined ? {} : { SHORTCUTS }
}
