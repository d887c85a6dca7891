import {
  amountFields,
  formatAmount,
  formatAmountUnit,
  formatRetirement,
  hasRetired,
  nameAmount,
  nameModality,
  formatUnit,
  writeOut,
} from '@ratecard/contract/wording'
import { companyName } from '@ratecard/contract/model-name'
import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { usePriceRecord } from '../../api/prices.ts'
import { Badge } from '../../components/Badge.tsx'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { Fact, Facts } from '../../components/Facts.tsx'
import { Loaded } from '../../components/states.tsx'
import { Time } from '../../components/Time.tsx'
import { WatchStar } from '../watching/WatchStar.tsx'
import { Announced } from './Announced.tsx'
import { Claims, Holds } from './Claims.tsx'
import { History } from './History.tsx'
import { findModel, shownName, type PriceRecord } from './price-index.ts'
import { RateCard } from './RateCard.tsx'
import { Section } from './Section.tsx'
import { selectionMax, toggleSelected, useSelection } from './selection.ts'
import { SourceLink } from './SourceLink.tsx'
import { standingWords } from './words.ts'
import './record.css'

export interface PriceDialogProps {
  record: PriceRecord
  onClose: () => void
  onShowProduct: (product: string) => void
}

/** Everything that is stored about one record. What the table does not have is fetched now. */
export function PriceDialog({ record, onClose, onShowProduct }: PriceDialogProps) {
  const { resource_id: id, product_id: product } = record
  const query = usePriceRecord(id)
  const { data } = query
  return (
    <Dialog title={shownName(record)} size="wide" onClose={onClose}>
      <RecordHead record={record} />
      <Amounts record={record} />
      <Doubts record={record} stored={data} />
      <Links record={record} page={data?.page} />
      <Loaded of={query} rows={3}>
        {({ announced, rates, amounts, currency }) => (
          <>
            <Announced prices={announced} amounts={amounts} currency={currency} />
            <RateCard rates={rates} amounts={amounts} currency={currency} />
          </>
        )}
      </Loaded>
      <Section title="History">
        {record.versions > 1 ? (
          <History resourceId={id} goneSince={data?.gone_since ?? null} />
        ) : (
          <p className="soft">
            The record has not moved since it was first served, on <Time value={record.updated_at} />.
          </p>
        )}
      </Section>
      {data && <Claims rule={data.rule_text} claims={data.claims} />}
      <Section title="Details">
        <Details record={record} retiresOn={data?.retires_on ?? null} />
      </Section>
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

/** Under the name: what it is, by whom, and where. Its last place is for what one does with a record. */
function RecordHead({ record }: { record: PriceRecord }) {
  const { vendor, platform, region, modality, standing } = record
  return (
    <div className="record-head">
      <div>
        <p className="row">
          <span>
            by <Link href={`/prices?vendor=${encodeURIComponent(vendor)}`}>{companyName(vendor)}</Link>
          </span>
          <WatchStar iconOnly kind="vendor" name={vendor} />
          {platform !== null && <span className="chip">{companyName(platform)}</span>}
          {region !== null && <span className="chip">{region}</span>}
          <span className="chip">{nameModality(modality)}</span>
          {standing !== null && (
            <span title={standingWords[standing].about}>
              <Badge tone={standingWords[standing].tone}>{standingWords[standing].text}</Badge>
            </span>
          )}
        </p>
        <code className="soft">{record.resource_id}</code>
      </div>
      <div className="record-actions row">
        <WatchStar kind="product" name={record.product_id ?? record.resource_id} />
      </div>
    </div>
  )
}

/** The headline amounts. */
function Amounts({ record }: { record: PriceRecord }) {
  const shown = amountFields.filter((field) => record[field] !== null)
  if (shown.length === 0) {
    return (
      <p className="soft">
        {record.rates > 0
          ? 'It has no price per token, image, minute or second. Its rate card says what is paid.'
          : `No price is known${record.unit === null ? '' : ` ${formatUnit(record.unit)}`}. Unknown is not free.`}
      </p>
    )
  }
  return (
    <dl className="record-amounts">
      {shown.map((field) => (
        <div key={field}>
          <dt>{nameAmount(field)}</dt>
          <dd>
            {formatAmount(record[field], record.currency)}{' '}
            <span className="hint">{formatAmountUnit(field)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** What one should know before one trusts the amounts. */
function Doubts({ record, stored }: { record: PriceRecord; stored: Schemas['PriceRecord'] | undefined }) {
  const paysMore = record.input_mark ?? record.output_mark
  const texts = [
    paysMore === 'off_peak' && 'These are the amounts of the cheaper hours; at other hours more is paid.',
    paysMore === 'from' && 'Some requests pay more than this, such as those with long prompts.',
    stored?.doubt != null && `${stored.doubt}.`,
    stored?.retires_on != null && `The model ${formatRetirement(stored.retires_on)}.`,
    stored?.gone_since != null &&
      `No source has had this price since ${stored.gone_since.slice(0, 10)}. It is the last one that was known.`,
  ].filter((text) => text !== false)
  return (
    <>
      {texts.length > 0 && <p>{texts.join(' ')}</p>}
      {stored && <Holds holds={stored.holds} currency={stored.currency} />}
    </>
  )
}

function Links({ record, page }: { record: PriceRecord; page: string | undefined }) {
  const model = findModel(record)
  const selection = useSelection()
  const isPicked = selection.includes(record.resource_id)
  return (
    <p className="row record-links">
      <Link href={`/calculator?model=${encodeURIComponent(model)}`}>Calculate</Link>
      <Link href={`/changes?product=${encodeURIComponent(model)}`}>Changes</Link>
      {page !== undefined && <a href={page}>Public page</a>}
      {(isPicked || selection.length < selectionMax) && (
        <Button size="small" onClick={() => toggleSelected(record.resource_id)}>
          {isPicked ? 'Do not compare' : 'Add to compare'}
        </Button>
      )}
    </p>
  )
}

function Details({ record, retiresOn }: { record: PriceRecord; retiresOn: string | null }) {
  const { currency, effective_at: effectiveAt, unit } = record
  return (
    <Facts>
      {unit !== null && <Fact name="Priced per">{writeOut(unit)}</Fact>}
      <Fact name="Product">{record.product_id ?? 'linked to none'}</Fact>
      <Fact name="Region">{record.region ?? 'any'}</Fact>
      <Fact name="Currency">{currency ?? 'unknown'}</Fact>
      <Fact name="Holds since">
        <Beginning effectiveAt={effectiveAt} updatedAt={record.updated_at} />
      </Fact>
      <Fact name="Last moved">
        {record.versions > 1 ? <Time value={record.updated_at} /> : 'not since it was first served'}
      </Fact>
      {retiresOn !== null && (
        <Fact name={hasRetired(retiresOn) ? 'Retired on' : 'Retires on'}>{retiresOn}</Fact>
      )}
      <Fact name="Source">
        {record.source_url === null ? 'not stated' : <SourceLink url={record.source_url} />}
      </Fact>
    </Facts>
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
