import { isIP } from 'node:net'
import { z } from 'zod'
import { readDatabaseUrl } from '../database-url.ts'
import { parseDuration } from '../duration.ts'

// The kinds of settings.

export interface Variable<T> {
  schema: z.ZodType<T, string | undefined>
  /** What a right value looks like; it stands in the error for a wrong one. */
  wants: string
  description: string
  default?: string
  secret?: true
}

export const variable = <T>(definition: Variable<T>): Variable<T> => definition

export const matching = (pattern: RegExp) => z.string().regex(pattern)

/** @param protocol with its colon, as `URL` gives it */
export const url = (protocol: RegExp) =>
  z.string().refine((text) => protocol.test(URL.parse(text)?.protocol ?? ''))

export const httpUrl = url(/^https?:$/)

export const port = (fallback: string, description: string) =>
  variable({
    schema: matching(/^\d{1,5}$/)
      .transform(Number)
      .refine((value) => value <= 65_535),
    wants: 'a port from 0 to 65535',
    default: fallback,
    description,
  })

export const count = (fallback: string, description: string) =>
  variable({
    schema: matching(/^[1-9]\d{0,8}$/).transform(Number),
    wants: 'a whole number from 1',
    default: fallback,
    description,
  })

export const addressRanges = (fallback: string, description: string) =>
  variable({
    schema: list.refine((ranges) => ranges.every(isCidr)),
    wants: 'address ranges such as 10.0.0.0/8, with commas between',
    default: fallback,
    description,
  })

/** The URL of a database holds its password. Of several hosts the one that takes writes is used. */
export const optionalPostgresUrl = (description: string) =>
  variable({
    schema: z
      .string()
      .refine((text) => readDatabaseUrl(text) !== null)
      .optional(),
    wants:
      'a URL such as postgres://user:password@host:5432/database, or with several hosts, @one:5432,two:5432/, of which the one that takes writes is used (target_session_attrs=read-write, and no other value)',
    description,
    secret: true,
  })

/** Of a replica: any state of its one host will do. */
export const optionalReplicaUrl = (description: string) =>
  variable({
    schema: z
      .string()
      .refine((text) => readDatabaseUrl(text)?.wantsWriter === false)
      .optional(),
    wants:
      'a URL such as postgres://user:password@host:5432/database, with one host and without target_session_attrs: put several replicas behind one address',
    description,
    secret: true,
  })

export const optionalHttpUrl = (description: string) =>
  variable({ schema: httpUrl.optional(), wants: 'an http or https URL', description })

export const duration = z.string().transform(parseDuration).pipe(z.number().positive())

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

function isCidr(text: string): boolean {
  const [address = '', bits = ''] = text.split('/')
  const family = isIP(address)
  return family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}
