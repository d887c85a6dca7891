/** The token of the mailed link. It is behind the `#`, which browsers send to no server, so no log has it. */
export function readToken(): string {
  return new URLSearchParams(window.location.hash.slice(1)).get('token') ?? ''
}
