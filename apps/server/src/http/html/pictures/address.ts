/**
 * The picture of a page, for `PageContent`.
 * @param pagePath the page's own
 * @param version what moves it: who keeps pictures by their addresses then asks for the new one
 */
export function addressPicture(
  pagePath: string,
  version: string,
  alt: string,
): { path: string; alt: string } {
  const name = pagePath === '/' ? '/home' : pagePath
  return { path: `/pictures${name}.png?v=${encodeURIComponent(version)}`, alt }
}
