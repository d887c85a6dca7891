import { useId, useState } from 'react'
import { useChangeFacets, type ChangeFilter } from '../../api/changes.ts'
import { Field } from '../../components/Field.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import type { SetParams } from '../../query-params.ts'
import { inWords } from './words.ts'

const severities = [2, 3, 4, 5].map((severity) => ({
  value: String(severity),
  label: severity === 5 ? '5' : `${severity} or more`,
}))

export function ChangeFilters({ filter, onChange }: { filter: ChangeFilter; onChange: SetParams }) {
  // Without the options a filter offers its present value only. The list of changes reports the failure.
  const { data: facets } = useChangeFacets()
  const incidentsId = useId()
  return (
    <search className="filters">
      <SelectField
        label="Vendor"
        none="All vendors"
        value={filter.vendor ?? null}
        options={(facets?.vendors ?? []).map((value) => ({ value, label: value }))}
        onChange={(vendor) => onChange({ vendor })}
      />
      <SelectField
        label="Category"
        none="All but incidents"
        value={filter.category ?? null}
        options={(facets?.categories ?? []).map((value) => ({ value, label: inWords(value) }))}
        onChange={(category) => onChange({ category })}
      />
      <SelectField
        label="Severity"
        none="Any"
        value={filter.min_severity?.toString() ?? null}
        options={severities}
        onChange={(min_severity) => onChange({ min_severity })}
      />
      <ProductField
        // Takes over a value that was cleared elsewhere.
        key={filter.product}
        value={filter.product ?? ''}
        onChange={(product) => onChange({ product })}
      />
      <div className="check">
        <input
          id={incidentsId}
          type="checkbox"
          checked={filter.include_incidents ?? false}
          onChange={({ target }) => onChange({ include_incidents: target.checked ? 'true' : null })}
        />
        <label htmlFor={incidentsId}>Incidents too</label>
      </div>
    </search>
  )
}

/** Filters by the product on Enter or on leaving the field: only a whole name matches. */
function ProductField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const [text, setText] = useState(value)
  const ask = () => {
    if (text.trim() !== value) onChange(text.trim())
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
