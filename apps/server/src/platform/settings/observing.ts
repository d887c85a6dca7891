import { z } from 'zod'
import { list, matching, optionalHttpUrl, variable } from './variable.ts'

// What is told of the server's work: its log, and traces. Names that begin with OTEL_ are OpenTelemetry's.

const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export const observingVariables = {
  LOG_CLIENT_ADDRESS: variable({
    schema: z.enum(['off', 'network', 'full']),
    wants: 'one of off, network, full',
    default: 'off',
    description:
      'Whether the line of a request has the address of its client, past `TRUSTED_PROXIES`: not at all, its /24 or /48, or all of it. An address is personal data: keep the log no longer than you need it.',
  }),
  OTEL_EXPORTER_OTLP_ENDPOINT: optionalHttpUrl(
    'Where traces are sent: a receiver of OTLP over HTTP, such as `http://collector:4318`. Unset: there are none.',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: variable({
    schema: list
      .refine((pairs) => pairs.every((pair) => /^[\w-]+=\S*$/.test(pair)))
      .transform((pairs) =>
        pairs.map((pair): [string, string] => {
          const [name = '', ...value] = pair.split('=')
          return [name, decode(value.join('='))]
        }),
      ),
    wants: 'headers such as api-key=…, with commas between',
    default: '',
    description: 'Headers for that receiver, such as its key.',
    secret: true,
  }),
  OTEL_SERVICE_NAME: variable({
    schema: z.string().min(1).max(255),
    wants: 'a name of at most 255 characters',
    default: 'ratecard',
    description: 'What the server is called in traces.',
  }),
  OTEL_TRACES_SAMPLER: variable({
    schema: z.enum(samplers),
    wants: `one of ${samplers.join(', ')}`,
    default: 'parentbased_always_on',
    description:
      'Which requests are traced. With more than a few a second: `parentbased_traceidratio`, and a share.',
  }),
  OTEL_TRACES_SAMPLER_ARG: variable({
    schema: matching(/^(0(\.\d+)?|1(\.0+)?)$/).transform(Number),
    wants: 'a share from 0 to 1',
    default: '1',
    description: 'The share that `traceidratio` takes.',
  }),
} as const

/** Values are percent-encoded, as in W3C Baggage. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
