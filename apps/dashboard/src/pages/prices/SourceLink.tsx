/** A source may give any text. Only an HTTP address becomes a link. */
export function SourceLink({ url, text = url }: { url: string; text?: string }) {
  if (!/^https?:\/\//.test(url)) return text
  return (
    <a href={url} target="_blank" rel="noreferrer nofollow">
      {text}
    </a>
  )
}
