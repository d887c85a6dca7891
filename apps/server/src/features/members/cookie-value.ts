/** @param cookies the `Cookie` header of a request */
export function cookieValue(cookies: string | undefined, name: string): string | undefined {
  return cookies
    ?.split('; ')
    .find((pair) => pair.startsWith(`${name}=`))
    ?.slice(name.length + 1)
}
