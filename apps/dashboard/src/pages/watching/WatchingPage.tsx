import { formatNumber } from '@ratecard/contract/wording'
import { useQuery } from '@tanstack/react-query'
import { Star } from 'lucide-react'
import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { ask } from '../../api/queries.ts'
import { useUnwatch } from '../../api/watching.ts'
import { PageHeader } from '../../components/PageHeader.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { Table } from '../../components/Table.tsx'
import { Announced, Cheapest, LastChange } from './parts.tsx'
import './watching.css'

type Watch = Schemas['Watch']

export default function WatchingPage() {
  return (
    <>
      <PageHeader
        title="Watch list"
        about="What you follow in this account: what it costs today, what has changed and what is announced."
      >
        <Link className="button" href="/notifications">
          Email settings
        </Link>
      </PageHeader>
      <Watches />
    </>
  )
}

function Watches() {
  const { data, error, refetch } = useQuery(ask('GET /watches'))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data) return <Skeleton rows={6} />
  if (data.data.length === 0) return <Nothing />
  const products = data.data.filter(({ kind }) => kind === 'product')
  const vendors = data.data.filter(({ kind }) => kind === 'vendor')
  return (
    <>
      {products.length > 0 && (
        <section className="stack" aria-labelledby="products">
          <h2 id="products">Products</h2>
          <ProductTable products={products} />
        </section>
      )}
      {vendors.length > 0 && (
        <section className="stack" aria-labelledby="vendors">
          <h2 id="vendors">Vendors</h2>
          <VendorTable vendors={vendors} />
        </section>
      )}
      <p className="soft">
        {formatNumber(data.data.length)} of {formatNumber(data.max)} that you can watch. Prices are the
        standard ones of the platform that sells for the least, at three input tokens to one output token; a
        model’s page has its other rates.
      </p>
    </>
  )
}

function Nothing() {
  return (
    <EmptyState title="Your watch list is empty">
      <p>
        Open a model or its maker and press <strong>Watch</strong>. Here you then see what it costs today and
        what is announced, and its changes are mailed to you once a day.
      </p>
      <div className="row">
        <a className="button" data-kind="primary" href="/models">
          Find a model
        </a>
        <a className="button" href="/changes">
          See the changes
        </a>
      </div>
    </EmptyState>
  )
}

function ProductTable({ products }: { products: readonly Watch[] }) {
  return (
    <Table<Watch>
      caption="Products that you watch"
      rows={products}
      rowKey={({ name }) => name}
      columns={[
        {
          label: 'Product',
          cell: (watch) => <Name watch={watch} detail={watch.name} />,
        },
        { label: 'Cheapest today', cell: ({ cheapest }) => <Cheapest price={cheapest} /> },
        { label: 'Last change', cell: ({ last_change }) => <LastChange change={last_change} /> },
        { label: 'Announced', cell: (watch) => <Announced watch={watch} /> },
      ]}
    />
  )
}

function VendorTable({ vendors }: { vendors: readonly Watch[] }) {
  return (
    <Table<Watch>
      caption="Vendors that you watch"
      rows={vendors}
      rowKey={({ name }) => name}
      columns={[
        {
          label: 'Vendor',
          cell: (watch) => (
            <Name
              watch={watch}
              detail={`${formatNumber(watch.products)} products, ${formatNumber(watch.records)} prices`}
            />
          ),
        },
        { label: 'Last change', cell: ({ last_change }) => <LastChange change={last_change} /> },
        { label: 'Announced', cell: (watch) => <Announced watch={watch} /> },
      ]}
    />
  )
}

/** Takes it off the list. */
function Unwatch({ watch }: { watch: Watch }) {
  const unwatch = useUnwatch()
  return (
    <button
      type="button"
      className="icon-button watch-star"
      title="Take it off your watch list"
      onClick={() => unwatch(watch)}
    >
      <Star aria-hidden="true" />
      <span className="visually-hidden">Stop watching {watch.name}</span>
    </button>
  )
}

function Name({ watch, detail }: { watch: Watch; detail: string }) {
  return (
    <span className="watch-name">
      <Unwatch watch={watch} />
      <span className="watch-cell">
        <a href={watch.page}>{watch.title}</a>
        <span className="hint">{watch.vendor === null ? 'no price any more' : detail}</span>
      </span>
    </span>
  )
}
