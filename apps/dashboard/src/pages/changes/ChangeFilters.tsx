import { useId, useState } from 'react'
import { useChangeFacets, type ChangeFilter } from '../../api/changes.ts'
import { Field } from '../../components/Field.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { inWords } from './words.ts'

export interface ChangeFiltersProps {
  filter: ChangeFilter
  onChange: (values: Partial<ChangeFilter>) => void
}

const severities = [2, 3, 4, 5].map((severity) => ({
  value: String(severity),
  label: severity === 5 ? '5' : `${severity} or more`,
}))

export function ChangeFilters({ filter, onChange }: ChangeFiltersProps) {
  // Without the options a filter offers its present value only. The list of changes reports the failure.
  const { data: facets } = useChangeFacets()
  return (
    <search className="filters">
      <SelectField
        label="Vendor"
        none="All vendors"
        value={filter.vendor}
        options={(facets?.vendors ?? []).map((value) => ({ value, label: value }))}
        onChange={(vendor) => onChange({ vendor })}
      />
      <SelectField
        label="Category"
        none="All but incidents"
        value={filter.category}
        options={(facets?.categories ?? []).map((value) => ({ value, label: inWords(value) }))}
        onChange={(category) => onChange({ category })}
      />
      <SelectField
        label="Severity"
        none="Any"
        value={filter.minSeverity === null ? null : String(filter.minSeverity)}
        options={severities}
        onChange={(severity) => onChange({ minSeverity: severity === null ? null : Number(severity) })}
      />
      <ProductField
        // Takes over a value that was cleared elsewhere.
        key={filter.product}
        value={filter.product}
        onChange={(product) => onChange({ product })}
      />
      <IncidentsField
        isChecked={filter.includeIncidents}
        onChange={(includeIncidents) => onChange({ includeIncidents })}
      />
    </search>
  )
}

interface ProductFieldProps {
  value: string | null
  onChange: (value: string | null) => void
}

/** Filters by the product on Enter or on leaving the field: only a whole name matches. */
function ProductField({ value, onChange }: ProductFieldProps) {
  const [text, setText] = useState(value ?? '')
  const ask = () => {
    const product = text.trim() === '' ? null : text.trim()
    if (product !== value) onChange(product)
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        ask()
      }}
    >
      <Field
        label="Product"
        placeholder="openai/gpt-4o-mini"
        maxLength={256}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={ask}
      />
    </form>
  )
}

interface IncidentsFieldProps {
  isChecked: boolean
  onChange: (isChecked: boolean) => void
}

function IncidentsField({ isChecked, onChange }: IncidentsFieldProps) {
  const id = useId()
  return (
    <div className="check">
      <input
        id={id}
        type="checkbox"
        checked={isChecked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <label htmlFor={id}>Incidents too</label>
    </div>
  )
}
