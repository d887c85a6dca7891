import { formatNumber } from '@ratecard/contract/wording'
import { companyName } from '@ratecard/contract/model-name'
import { useState } from 'react'
import { useModelPrices } from '../../api/prices.ts'
import { Field } from '../../components/Field.tsx'
import { PageHeader } from '../../components/PageHeader.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../components/states.tsx'
import { useQueryParams, type SetParams } from '../../query-params.ts'
import { Combobox } from '../prices/Combobox.tsx'
import { shownName, recordAt, type PriceIndex } from '../prices/price-index.ts'
import { usePriceIndex } from '../prices/use-price-index.ts'
import { CostTable } from './CostTable.tsx'
import { platformCosts, readWhole, usual, type RequestUse } from './use.ts'
import '../prices/prices.css'
import './calculator.css'

export default function CalculatorPage() {
  return (
    <>
      <PageHeader
        title="Calculator"
        about="What your use of a model costs on each platform, cheapest first."
      />
      <Calculator />
    </>
  )
}

const suggestionsMax = 8

function Calculator() {
  const [params, change] = useQueryParams()
  const [isTyping, setIsTyping] = useState(false)
  const model = params.get('model')
  const { index, error, refetch } = usePriceIndex(isTyping || model !== null)
  if (error) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (!index && model !== null) return <Skeleton rows={8} />
  const row = model === null ? undefined : index?.rowsOfModel(model)[0]
  const use = readRequestUse(params)
  const period = params.get('per') === 'day' ? 'day' : 'month'
  return (
    <>
      <form className="calculator-form" onSubmit={(event) => event.preventDefault()}>
        <Combobox
          label="Model"
          chosen={index && row !== undefined ? shownName(recordAt(index.columns, row)) : model}
          placeholder="gpt-4o, claude sonnet 4.5 …"
          find={(text) => index && suggestions(index, text)}
          onBegin={() => setIsTyping(true)}
          onChoose={(id) => change({ model: id })}
        />
        <NumberField name="requests" label="Requests" use={use} onChange={change} />
        <SelectField
          label="Each"
          value={period}
          options={[
            { value: 'day', label: 'Day' },
            { value: 'month', label: 'Month' },
          ]}
          onChange={(value) => change({ per: value === 'month' ? null : value })}
        />
        <NumberField name="input" label="Input tokens" hint="of each request" use={use} onChange={change} />
        <NumberField name="output" label="Output tokens" hint="of each request" use={use} onChange={change} />
        <NumberField name="cached" label="Cached, %" hint="of the input" use={use} onChange={change} />
        <label className="check">
          <input
            type="checkbox"
            checked={use.isBatch}
            onChange={({ target }) => change({ batch: target.checked ? '1' : null })}
          />
          Batch prices
        </label>
      </form>
      {model === null ? (
        <EmptyState title="Choose a model">
          <p>The search above finds it by its name, maker or platform.</p>
        </EmptyState>
      ) : row === undefined ? (
        <EmptyState title="There is no such model">
          <p>
            Nothing with the id <code>{model}</code> is served. Search for its name above.
          </p>
        </EmptyState>
      ) : (
        <Costs model={model} use={use} period={period} />
      )}
    </>
  )
}

function suggestions(index: PriceIndex, text: string) {
  return index
    .findModels(text, { limit: suggestionsMax })
    .map(({ id, name, vendor }) => ({ id, name, hint: `${companyName(vendor)} · ${id}` }))
}

/** Which numbers the form takes. */
const fields = {
  requests: { param: 'requests', max: 1_000_000_000_000 },
  input: { param: 'in', max: 100_000_000 },
  output: { param: 'out', max: 100_000_000 },
  cached: { param: 'cached', max: 100 },
} as const
type NumberName = keyof typeof fields

/** The use in the address; what is no number there is as usual. */
function readRequestUse(params: URLSearchParams): RequestUse {
  const read = (name: NumberName) =>
    readWhole(params.get(fields[name].param) ?? '', fields[name].max) ?? usual[name]
  return {
    requests: read('requests'),
    input: read('input'),
    output: read('output'),
    cached: read('cached'),
    isBatch: params.get('batch') === '1',
  }
}

interface NumberFieldProps {
  name: NumberName
  label: string
  hint?: string
  use: RequestUse
  onChange: SetParams
}

/** What is typed counts as soon as it is a number; until then the last one does, and the field says so. */
function NumberField({ name, label, hint = '', use, onChange }: NumberFieldProps) {
  const { param, max } = fields[name]
  const [typed, setTyped] = useState<string | null>(null)
  const isWrong = typed !== null && readWhole(typed, max) === null
  return (
    <Field
      label={label}
      hint={hint}
      inputMode="numeric"
      autoComplete="off"
      value={typed ?? formatNumber(Number(use[name]))}
      error={isWrong ? `Write a whole number up to ${formatNumber(max)}.` : null}
      onBlur={() => setTyped(null)}
      onChange={({ target: { value } }) => {
        setTyped(value)
        const number = readWhole(value, max)
        if (number !== null) onChange({ [param]: number === usual[name] ? null : number })
      }}
    />
  )
}

interface CostsProps {
  model: string
  use: RequestUse
  period: 'day' | 'month'
}

function Costs({ model, use, period }: CostsProps) {
  const [answer] = useModelPrices([model])
  if (!answer || answer.error) {
    return answer?.error ? <ErrorState error={answer.error} onRetry={() => void answer.refetch()} /> : null
  }
  if (!answer.data) return <Skeleton rows={6} />
  return <CostTable costs={platformCosts(answer.data.prices, use)} use={use} period={period} />
}
