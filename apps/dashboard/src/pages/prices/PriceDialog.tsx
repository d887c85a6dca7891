import type { Schemas } from '../../../contract/index.ts'
import { usePriceHistory } from '../../api/prices.ts'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { Fact, Facts } from '../../components/Facts.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { WatchStar } from '../watching/WatchStar.tsx'
import type { PriceRecord } from './price-index.ts'
import { amountFields, amountName, amountText, amountUnit, fieldName, unitName } from './words.ts'

export interface PriceDialogProps {
  record: PriceRecord
  onClose: () => void
  onShowProduct: (product: string) => void
}

/** Every field of one record, and its earlier versions. */
export function PriceDialog({ record, onClose, onShowProduct }: PriceDialogProps) {
  const { resource_id: id, product_id: product, currency, effective_at: effectiveAt, unit } = record
  return (
    <Dialog title={id} size="wide" onClose={onClose}>
      <div className="row">
        <WatchStar kind="product" name={product ?? id} />
      </div>
      <Facts>
        {amountFields
          .filter((field) => record[field] !== null)
          .map((field) => (
            <Fact key={field} name={amountName(field)}>
              {amountText(record[field], currency)} <span className="soft">{amountUnit(field)}</span>
            </Fact>
          ))}
        {unit !== null && <Fact name="Priced per">{unitName(unit)}</Fact>}
        <Fact name="Product">{product ?? 'linked to none'}</Fact>
        <Fact name="Vendor">
          {record.vendor} <WatchStar iconOnly kind="vendor" name={record.vendor} />
        </Fact>
        <Fact name="Platform">{record.platform ?? 'unknown'}</Fact>
        <Fact name="Region">{record.region ?? 'any'}</Fact>
        <Fact name="Modality">{record.modality ?? 'unknown'}</Fact>
        <Fact name="Currency">{currency ?? 'unknown'}</Fact>
        <Fact name="Holds since">
          <Beginning effectiveAt={effectiveAt} updatedAt={record.updated_at} />
        </Fact>
        <Fact name="Last moved">
          {record.versions > 1 ? <Time value={record.updated_at} /> : 'not since it was first served'}
        </Fact>
        <Fact name="Source">
          {record.source_url === null ? 'not stated' : <SourceLink url={record.source_url} />}
        </Fact>
      </Facts>
      <section className="stack">
        <h3>History</h3>
        {record.versions > 1 ? (
          <History resourceId={id} />
        ) : (
          <p className="soft">
            The record has not moved since it was first served, on <Time value={record.updated_at} />.
          </p>
        )}
      </section>
      <DialogActions>
        {product !== null && (
          <Button onClick={() => onShowProduct(product)}>All prices of the product</Button>
        )}
        <CopyButton text={id} what="id" />
        <Button kind="primary" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  )
}

/**
 * The first day of a price by its source. A price that its source does not date has the moment of its last move in the
 * field: since then we have seen it, and it may have held for longer.
 */
function Beginning({ effectiveAt, updatedAt }: { effectiveAt: string; updatedAt: string }) {
  if (effectiveAt === updatedAt)
    return (
      <>
        not dated by its source; known since <Time value={effectiveAt} />
      </>
    )
  return effectiveAt.length === 10 ? effectiveAt : <Time value={effectiveAt} />
}

/** A source may give any text. Only an HTTP address becomes a link. */
function SourceLink({ url }: { url: string }) {
  if (!/^https?:\/\//.test(url)) return url
  return (
    <a href={url} target="_blank" rel="noreferrer nofollow">
      {url}
    </a>
  )
}

type Version = Schemas['PriceVersion']

function History({ resourceId }: { resourceId: string }) {
  const { data, error, refetch } = usePriceHistory(resourceId)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton rows={2} />
  const used = amountFields.filter((field) => data.versions.some((version) => version[field] !== null))
  return (
    <Table<Version>
      caption={`What ${resourceId} has said, newest first`}
      rows={data.versions}
      // Several states may be of one moment: a replay has a clock of its own.
      rowKey={(version) => data.versions.indexOf(version)}
      columns={[
        { label: 'Known since', cell: ({ since }) => <Time value={since} /> },
        {
          label: 'Holds since',
          cell: ({ valid_from, valid_from_by }) =>
            valid_from_by === 'source' ? valid_from.slice(0, 10) : 'first seen then',
        },
        ...used.map((field) => ({
          label: amountName(field),
          cell: (version: Version) => amountText(version[field], version.currency),
        })),
        {
          label: 'What moved',
          cell: ({ moved }) => (moved.length === 0 ? 'first served' : moved.map(fieldName).join(', ')),
        },
        { label: 'Source', cell: ({ source }) => source },
      ]}
    />
  )
}
