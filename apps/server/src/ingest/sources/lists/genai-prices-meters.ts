import { asStated, perHourToPerMinute, perThousandToPerOne, type Scale } from '../../../catalog/decimal.ts'

/** What a price field of genai-prices counts, and how its amount is converted to one per our unit. */
export interface Meter {
  meter: string
  unit: string
  variant: string | null
  scale: Scale
}

/** Names end in their unit: `_mtok` a million tokens, `_kcount` a thousand, `_gpixels` a thousand million. */
export function findMeter(field: string): Meter {
  const [, name = field, per] = /^(.+)_(mtok|kcount|hours|kpages|gpixels|mchars)$/.exec(field) ?? []
  switch (per) {
    case 'mtok':
      return toTokenMeter(name)
    case 'kcount':
      return name.endsWith('_searches')
        ? { ...of('searches', 'query', perThousandToPerOne), variant: searchKind(name) }
        : of(name, name.replace(/^.*_/, '').replace(/s$/, ''), perThousandToPerOne)
    case 'hours':
      return of(`${name}_minutes`, 'minute', perHourToPerMinute)
    case 'kpages':
      return of(`${name}_pages`, 'page', perThousandToPerOne)
    case 'gpixels':
      return of(`${name}_pixels`, '1m_pixels', perThousandToPerOne)
    case 'mchars':
      return of(`${name}_characters`, '1m_characters')
    default:
      return of(name, 'unit')
  }
}

/** A search of the web is the plain one; what other sources call a search of files is one of storage here. */
function searchKind(name: string): string | null {
  const kind = name.replace(/_searches$/, '')
  return kind === 'web' ? null : kind === 'storage' ? 'file' : kind
}

function toTokenMeter(name: string): Meter {
  const [, kind = '', use, lifetime = null] =
    /^cache_((?:\w+_)?)(read|write)(?:_(\d+[mh]))?$/.exec(name) ?? []
  if (use !== undefined) {
    const cached = use === 'read' ? 'cached_input' : 'cache_write'
    return { ...of(`${cached}_${kind}tokens`, '1m_tokens'), variant: lifetime }
  }
  // Reasoning and citations are always output.
  const meter = name.replace(/^output_(?=reasoning$|citation$)/, '')
  return of(`${meter}_tokens`, '1m_tokens')
}

function of(meter: string, unit: string, scale = asStated): Meter {
  return { meter, unit, variant: null, scale }
}
