import { nameModality } from '@ratecard/contract/wording'
import { companyName } from '@ratecard/contract/model-name'
import { memo, useState } from 'react'
import { Field } from '../../components/Field.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { useMatches } from '../../components/use-matches.ts'
import type { SetParams } from '../../query-params.ts'
import { Combobox } from './Combobox.tsx'
import type { PriceFilter, PriceIndex } from './price-index.ts'

export interface PriceFiltersProps {
  index: PriceIndex
  filter: PriceFilter
  /** As the address has it. */
  sort: string | null
  onChange: SetParams
}

const narrow = matchMedia('(max-width: 40rem)')
const suggestionsMax = 8

const orders = [
  { value: 'name', label: 'Name' },
  { value: 'input', label: 'Input, cheapest first' },
  { value: 'output', label: 'Output, cheapest first' },
  { value: '-input', label: 'Input, dearest first' },
  { value: '-updated', label: 'Moved last' },
]

/** On a narrow screen the search alone stands above the rows, and the rest is one press away. */
export function PriceFilters({ index, filter, sort, onChange }: PriceFiltersProps) {
  const isNarrow = useMatches(narrow)
  const [isOpen, setOpen] = useState(false)
  const used = [filter.vendor, filter.platform, filter.modality, filter.product].filter(Boolean).length
  const count = used + Number(filter.isOwn) + Number(filter.isSure)
  const isShown = !isNarrow || isOpen
  return (
    <search className="price-filters">
      <div className="price-search">
        <Field
          label="Search"
          type="search"
          placeholder="gpt-4o, claude sonnet 4.5, azure …"
          maxLength={100}
          value={filter.search}
          onChange={(event) => onChange({ search: event.target.value })}
        />
        {isNarrow && (
          <button type="button" className="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            Filters{count > 0 && ` (${count})`}
          </button>
        )}
      </div>
      {isShown && (
        <>
          <Choices index={index} filter={filter} onChange={onChange} />
          {isNarrow && (
            <SelectField
              label="Order"
              none="Best known first"
              value={sort}
              options={orders}
              onChange={(value) => onChange({ sort: value })}
            />
          )}
          <div className="price-checks">
            <Check
              label="Hide resellers"
              about="Only what makers sell themselves"
              isOn={filter.isOwn}
              onChange={(isOn) => onChange({ own: isOn ? '1' : null })}
            />
            <Check
              label="Hide doubtful"
              about="Without what has no price, is no longer listed, or is stated differently"
              isOn={filter.isSure}
              onChange={(isOn) => onChange({ sure: isOn ? '1' : null })}
            />
          </div>
        </>
      )}
    </search>
  )
}

function Choices({ index, filter, onChange }: Omit<PriceFiltersProps, 'sort'>) {
  const choices = [
    { name: 'vendor', label: 'Vendor', none: 'All vendors', values: index.vendors },
    { name: 'platform', label: 'Platform', none: 'All platforms', values: index.platforms },
    { name: 'modality', label: 'Kind', none: 'All kinds', values: index.modalities },
  ] as const
  return (
    <>
      {choices.map(({ name, ...choice }) => (
        <Choice
          key={name}
          {...choice}
          wordOf={name === 'modality' ? nameModality : companyName}
          value={filter[name]}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      <Combobox
        label="Product"
        chosen={filter.product}
        placeholder="All products"
        find={(text) =>
          index
            .findModels(text, { limit: suggestionsMax, isProduct: true })
            .map(({ id, name }) => ({ id, name, hint: id }))
        }
        onChoose={(product) => onChange({ product })}
      />
    </>
  )
}

interface CheckProps {
  label: string
  about: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}

function Check({ label, about, isOn, onChange }: CheckProps) {
  return (
    <label className="check" title={about}>
      <input type="checkbox" checked={isOn} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  )
}

interface ChoiceProps {
  label: string
  none: string
  value: string | null
  values: readonly string[]
  wordOf: (value: string) => string
  onChange: (value: string | null) => void
}

/** Its options render again when its own choice changes, not with every letter of the search. */
const Choice = memo(
  function Choice({ values, wordOf, ...field }: ChoiceProps) {
    const labels = values.map(wordOf)
    const options = values
      .map((value, place) => {
        const label = labels[place]!
        // Two ids of one company: "Mistral AI (mistral)".
        const isAlone = labels.indexOf(label) === labels.lastIndexOf(label)
        return { value, label: isAlone ? label : `${label} (${value})` }
      })
      .sort((a, b) => (a.label.toLowerCase() < b.label.toLowerCase() ? -1 : 1))
    return <SelectField {...field} options={options} />
  },
  (a, b) => a.value === b.value && a.values === b.values,
)
