/** The token of the mailed link. It stands behind the `#`, which no server is sent and no log has. */
export function tokenOfLink(): string {
  return new URLSearchParams(window.location.hash.slice(1)).get('token') ?? ''
}
