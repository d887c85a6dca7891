import type { Snapshot } from './read-snapshot.ts'
import type { SnapshotResource } from './record.ts'

/**
 * The snapshot as anybody may have it: without the words of sources whose publishers state no licence, and without those
 * of the operator. What is served is in it, whoever says so.
 */
export function licensedSnapshot({ header, batches }: Snapshot): Snapshot {
  const licensed = new Set(
    header.sources.flatMap(({ source, licence }) => (licence === null ? [] : [source])),
  )
  return { header, batches: without(batches, (source) => licensed.has(source)) }
}

async function* without(
  batches: Snapshot['batches'],
  isOpen: (source: string) => boolean,
): AsyncGenerator<SnapshotResource[]> {
  for await (const resources of batches) yield resources.map((resource) => openPart(resource, isOpen))
}

function openPart(resource: SnapshotResource, isOpen: (source: string) => boolean): SnapshotResource {
  const { aliases, claims, documents, evidence, rates } = resource
  const openWords = <Poll extends { denied_by: Record<string, string> | null }>(poll: Poll): Poll => ({
    ...poll,
    denied_by: poll.denied_by && openOnly(poll.denied_by, isOpen),
  })
  return {
    ...resource,
    aliases: aliases.filter(({ source }) => isOpen(source)),
    claims: claims.filter(({ source }) => isOpen(source)),
    evidence:
      evidence &&
      Object.fromEntries(Object.entries(evidence).map(([field, poll]) => [field, openWords(poll)])),
    rates: rates && rates.map(openWords),
    // Where a seller says it is open to everybody; his words are his.
    ...(documents && {
      documents: documents.map(({ source, quotes, ...document }) => ({
        ...{ source, ...document },
        quotes: isOpen(source) ? quotes : quotes.map((quote) => ({ ...quote, text: null })),
      })),
    }),
  }
}

function openOnly<Value>(
  said: Record<string, Value>,
  isOpen: (source: string) => boolean,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(said).filter(([source]) => isOpen(source)))
}
