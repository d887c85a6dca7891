import { isIP } from 'node:net'
import { z } from 'zod'
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

export const port = (fallback: string, description: string) =>
  variable({
    schema: z
      .string()
      .regex(/^\d{1,5}$/)
      .transform(Number)
      .refine((value) => value <= 65_535),
    wants: 'a port from 0 to 65535',
    default: fallback,
    description,
  })

export const count = (fallback: string, description: string) =>
  variable({
    schema: z
      .string()
      .regex(/^[1-9]\d{0,8}$/)
      .transform(Number),
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

/** The URL of a database holds its password. */
export const optionalPostgresUrl = (description: string) =>
  variable({
    schema: z.string().refine(isPostgresUrl).optional(),
    wants: 'a URL such as postgres://user:password@host:5432/database',
    description,
    secret: true,
  })

export const optionalHttpUrl = (description: string) =>
  variable({ schema: z.string().refine(isHttpUrl).optional(), wants: 'an http or https URL', description })

export const duration = z.string().transform((text, context) => {
  const ms = parseDuration(text)
  if (ms !== null && ms > 0) return ms
  context.addIssue({ code: 'custom', message: 'not a time' })
  return z.NEVER
})

export const list = z.string().transform((text) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean),
)

function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol)
}

export function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
}

function isCidr(text: string): boolean {
  const [address = '', bits = ''] = text.split('/')
  const family = isIP(address)
  return family !== 0 && /^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128)
}
