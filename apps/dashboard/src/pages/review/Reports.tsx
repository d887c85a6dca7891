import { formatAmount, formatCount, formatNumber, nameAmount } from '@ratecard/contract/wording'
import { useQuery } from '@tanstack/react-query'
import type { Schemas } from '../../../contract/index.ts'
import { askData, useAction } from '../../api/queries.ts'
import { Button } from '../../components/Button.tsx'
import { ErrorState } from '../../components/states.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { toast } from '../../components/Toast.tsx'
import { recordPage } from '../../public-pages.ts'
import { Address } from './Address.tsx'
import { refetchMs } from './Sources.tsx'
import { statedFields } from './words.ts'

type Report = Schemas['PriceReport']

/** Prices that readers of the public pages say are wrong. */
export function Reports() {
  const { data, error, refetch } = useQuery({ ...askData('GET /review/reports'), refetchInterval: refetchMs })
  const { mutate: close } = useAction('DELETE /review/reports/{id}')
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!data || data.length === 0) return null
  return (
    <section className="stack reports" aria-labelledby="reports">
      <h2 id="reports">
        {data.length === 1 ? 'A price is' : `${formatNumber(data.length)} prices are`} wrong, say readers
      </h2>
      <p className="soft">Anybody can say so: look at the vendor's page before you believe it.</p>
      <Table
        caption="Reports of readers, the most often made first"
        rows={data}
        rowKey={({ id }) => id}
        columns={[
          { label: 'Price', cell: (report) => <Served of={report} /> },
          { label: 'Should be', cell: ({ should_be }) => should_be },
          { label: 'According to', cell: ({ source_url }) => <Address value={source_url} /> },
          { label: 'Reported', cell: (report) => <Reported of={report} /> },
          {
            label: 'Looked into',
            cell: ({ id, resource_id }) => (
              <Button
                size="small"
                aria-label={`Close the report on ${resource_id}`}
                onClick={() => close({ path: { id } }, { onError: ({ message }) => toast(message) })}
              >
                Close
              </Button>
            ),
          },
        ]}
      />
    </section>
  )
}

function Served({ of: report }: { of: Report }) {
  const { resource_id, currency } = report
  const fields = statedFields([report])
  return (
    <>
      <a className="mono" href={recordPage(resource_id)}>
        {resource_id}
      </a>
      <div className="hint">
        {fields.length === 0
          ? 'Not served any more'
          : fields.map((field) => `${nameAmount(field)} ${formatAmount(report[field], currency)}`).join(', ')}
      </div>
    </>
  )
}

function Reported({ of: { times, email, last_at } }: { of: Report }) {
  return (
    <>
      {formatCount(times, 'time')}, <Time value={last_at} />
      {email !== null && <div className="hint">by {email}, unconfirmed</div>}
    </>
  )
}
