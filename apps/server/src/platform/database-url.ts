// Addresses of databases as libpq reads them: several hosts may stand in one URL.

export interface DatabaseUrl {
  /** The URL with the first host alone. */
  url: string
  hosts: { host: string; port: number }[]
  /** Whether a connection to a node that takes no writes is of no use. */
  wantsWriter: boolean
}

const portDefault = 5_432
// The part before the hosts ends with the last @ in front of the path.
const form = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s
const writers = ['read-write', 'primary']

/** Null: it is none, or asks for another node than one that takes writes. */
export function readDatabaseUrl(text: string): DatabaseUrl | null {
  const [, before = '', list = '', after = ''] = form.exec(text) ?? []
  const urls = list.split(',').map((host) => URL.parse(before + host + after))
  const [first] = urls
  if (!first || !/^postgres(ql)?:$/.test(first.protocol)) return null
  const attributes = first.searchParams.get('target_session_attrs')
  if (attributes !== null && !writers.includes(attributes)) return null
  const wantsWriter = attributes !== null || urls.length > 1
  // A socket has no host, and is no choice.
  if (!urls.every((url) => url !== null && (url.hostname !== '' || !wantsWriter))) return null
  const hosts = urls.flatMap((url) =>
    url
      ? [
          {
            host: decodeURIComponent(url.hostname).replace(/^\[|\]$/g, ''),
            port: Number(url.port || portDefault),
          },
        ]
      : [],
  )
  return { url: before + list.split(',')[0] + after, hosts, wantsWriter }
}
