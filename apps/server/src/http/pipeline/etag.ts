/** Whether an `If-None-Match` names the tag; `*` names all. A proxy that compresses marks tags as weak. */
export function namesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  const strong = (tag: string) => tag.trim().replace(/^W\//, '')
  return (ifNoneMatch ?? '').split(',').some((tag) => [strong(etag), '*'].includes(strong(tag)))
}
