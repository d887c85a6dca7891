import { z } from 'zod'
import { listEntries, Stated, tokens, type HostList, type HostRow } from './host-list.ts'

const meters = { input: tokens('input_tokens'), output: tokens('output_tokens') }

/**
 * Hugging Face's router at /v1/models: each model with the hosts that it is passed on to, in USD per million tokens. It
 * is what Hugging Face charges, not what the host charges itself: the host is the region of the row. A request that
 * names no host costs what its host costs, so that a model has a price without one only where all hosts agree.
 */
export const huggingface: HostList = {
  platform: 'huggingface',
  title: "an answer of Hugging Face's router at /v1/models",
  link: 'https://huggingface.co/inference/models',
  Row: z
    .looseObject({
      id: z.string().min(1),
      architecture: z.looseObject({ output_modalities: z.array(z.string()).nullish() }).nullish(),
      providers: z.array(
        z.looseObject({
          provider: z.string().regex(/^[\w-]+$/),
          is_free: z.boolean().nullish(),
          pricing: z.object({ input: Stated, output: Stated }).nullish(),
        }),
      ),
    })
    .transform(({ id, architecture, providers }): HostRow[] => {
      const outputs = architecture?.output_modalities ?? []
      const rows = providers.map(({ provider, pricing, is_free }): HostRow => ({
        ...{ id, outputs, region: provider },
        entries: listEntries(pricing ?? {}, meters),
        // Hosts without a price have 0 as well.
        zero: is_free === true ? 'price' : 'unknown',
      }))
      const [first, ...others] = rows
      const isOne = first !== undefined && others.every((row) => isSamePrice(row, first))
      return [
        ...rows,
        { id, outputs, entries: isOne ? first.entries : [], ...(isOne && { zero: first.zero }) },
      ]
    }),
  fields: {
    reads: (path) => /^providers\[\]\.pricing\.(?:input|output)$/.test(path),
    ignored: [],
  },
}

function isSamePrice(a: HostRow, b: HostRow): boolean {
  const toText = ({ entries, zero }: HostRow) => [zero, ...entries.map(({ stated }) => String(stated))].join()
  return toText(a) === toText(b)
}
