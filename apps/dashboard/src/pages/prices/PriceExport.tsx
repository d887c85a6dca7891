import { formatNumber } from '@ratecard/contract/wording'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { downloadPriceFile, saveFile, type PriceFileFormat } from '../../api/price-file.ts'
import { Button } from '../../components/Button.tsx'
import { Dialog, DialogActions } from '../../components/Dialog.tsx'
import { FormError } from '../../components/FormError.tsx'
import { filterCsv, filterJson } from './export.ts'
import type { PriceIndex, RowIndexes } from './price-index.ts'

interface PriceExportProps {
  index: PriceIndex
  rowIndexes: RowIndexes
}

/** What is shown, and all prices with all that is stored of them, as files. */
export function PriceExport({ index, rowIndexes }: PriceExportProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)} aria-haspopup="dialog">
        Export
      </Button>
      {isOpen && <ExportDialog index={index} rowIndexes={rowIndexes} onClose={() => setOpen(false)} />}
    </>
  )
}

const forms: readonly { format: PriceFileFormat; name: string; about: string }[] = [
  {
    format: 'json',
    name: 'JSON',
    about: 'One document with rate cards, announced prices, names and sources.',
  },
  { format: 'jsonl', name: 'JSON Lines', about: 'The same, a line for each record.' },
  { format: 'csv', name: 'CSV', about: 'A row for each record, for a spreadsheet.' },
  { format: 'sqlite', name: 'SQLite', about: 'A database with a table of each kind.' },
]

function ExportDialog({ index, rowIndexes, onClose }: PriceExportProps & { onClose: () => void }) {
  const { columns } = index
  const { mutate, isPending, variables, error } = useMutation({ mutationFn: downloadPriceFile })
  const making = isPending ? variables : null
  return (
    <Dialog title="Export prices" size="wide" onClose={onClose}>
      <section className="stack" aria-labelledby="export-filter">
        <h3 id="export-filter">What is shown: {formatNumber(rowIndexes.length)} records</h3>
        <p className="hint">The present filter and order, as the API has these records.</p>
        <div className="row">
          <Button
            disabled={rowIndexes.length === 0}
            onClick={() => saveFile('prices.csv', 'text/csv', filterCsv(columns, rowIndexes))}
          >
            These as CSV
          </Button>
          <Button
            disabled={rowIndexes.length === 0}
            onClick={() => saveFile('prices.json', 'application/json', filterJson(columns, rowIndexes))}
          >
            These as JSON
          </Button>
        </div>
      </section>
      <section className="stack" aria-labelledby="export-all">
        <h3 id="export-all">All {formatNumber(index.count)} prices</h3>
        <p className="hint">
          With all that is stored of them. Programs load <a href="/snapshot.json">/snapshot.json</a> without a
          key, and gateways <a href="/exports/litellm.json">/exports/litellm.json</a>.
        </p>
        <ul className="export-forms">
          {forms.map(({ format, name, about }) => (
            <li key={format}>
              <Button busy={isPending} onClick={() => mutate(format)}>
                {making === format ? 'Making the file…' : name}
              </Button>
              <span className="hint">{about}</span>
            </li>
          ))}
        </ul>
        <p role="status" className="hint">
          {isPending && 'The first who asks waits some seconds until the file is made.'}
        </p>
        <FormError error={error} />
      </section>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
      </DialogActions>
    </Dialog>
  )
}
