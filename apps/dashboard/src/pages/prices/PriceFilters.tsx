import { memo, useId, useState } from 'react'
import { Field } from '../../components/Field.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import type { SetParams } from '../../query-params.ts'
import type { PriceFilter, PriceIndex } from './price-index.ts'

export interface PriceFiltersProps {
  index: PriceIndex
  filter: PriceFilter
  onChange: SetParams
}

export function PriceFilters({ index, filter, onChange }: PriceFiltersProps) {
  const choices = [
    { name: 'vendor', label: 'Vendor', none: 'All vendors', values: index.vendors },
    { name: 'platform', label: 'Platform', none: 'All platforms', values: index.platforms },
    { name: 'modality', label: 'Modality', none: 'All modalities', values: index.modalities },
  ] as const
  return (
    <search className="filters">
      <Field
        label="Search"
        type="search"
        placeholder="Model, product or vendor"
        value={filter.search}
        onChange={(event) => onChange({ search: event.target.value })}
      />
      {choices.map(({ name, ...choice }) => (
        <Choice
          key={name}
          {...choice}
          value={filter[name]}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      <ProductField
        // Takes over a value that was chosen elsewhere.
        key={filter.product}
        value={filter.product}
        products={index.products}
        onChange={(product) => onChange({ product })}
      />
    </search>
  )
}

interface ChoiceProps {
  label: string
  none: string
  value: string | null
  values: readonly string[]
  onChange: (value: string | null) => void
}

/** Its options render again when its own choice changes, not with every letter of the search. */
const Choice = memo(
  function Choice({ values, ...field }: ChoiceProps) {
    return <SelectField {...field} options={values.map((value) => ({ value, label: value }))} />
  },
  (a, b) => a.value === b.value && a.values === b.values,
)

// As many as a person reads. A browser would draw thousands.
const suggestionsMax = 50

interface ProductFieldProps {
  value: string | null
  products: readonly string[]
  onChange: (value: string | null) => void
}

/** Filters by a product as soon as its name is complete. */
function ProductField({ value, products, onChange }: ProductFieldProps) {
  const id = useId()
  const [text, setText] = useState(value ?? '')
  const suggestions = text === '' ? [] : products.filter((product) => product.includes(text.toLowerCase()))
  const isUnknown = text !== '' && !products.includes(text)
  return (
    <>
      <Field
        label="Product"
        placeholder="openai/gpt-4o-mini"
        list={id}
        value={text}
        hint={isUnknown ? 'Choose one of the suggestions.' : ''}
        onChange={(event) => {
          const next = event.target.value
          setText(next)
          if (next === '' || products.includes(next)) onChange(next === '' ? null : next)
          else if (value !== null) onChange(null)
        }}
      />
      <datalist id={id}>
        {suggestions.slice(0, suggestionsMax).map((product) => (
          <option key={product} value={product} />
        ))}
      </datalist>
    </>
  )
}
