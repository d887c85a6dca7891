import { writeOut } from '@ratecard/contract/wording'
import { useId, useState } from 'react'
import { useChangeFacets, type ChangeFilter } from '../../api/changes.ts'
import { useFilterNames } from '../../api/webhooks.ts'
import { Field } from '../../components/Field.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import type { SetParams } from '../../query-params.ts'

const severities = [2, 3, 4, 5].map((severity) => ({
  value: String(severity),
  label: severity === 5 ? '5' : `${severity} or more`,
}))

/** What is no news of prices as well: a choice beside the categories, because it is one of the same kind. */
const everything = { value: 'everything', label: 'All, with incidents and corrections' }

export function ChangeFilters({ filter, onChange }: { filter: ChangeFilter; onChange: SetParams }) {
  // Without the options a filter offers its present value only. The list of changes reports the failure.
  const { data: facets } = useChangeFacets()
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
        none="All news of prices and models"
        value={filter.category ?? (filter.include_incidents ? everything.value : null)}
        options={[
          everything,
          ...(facets?.categories ?? []).map((value) => ({ value, label: writeOut(value) })),
        ]}
        onChange={(chosen) => {
          const isAll = chosen === everything.value
          onChange({ category: isAll ? null : chosen, include_incidents: isAll ? 'true' : null })
        }}
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
    </search>
  )
}

/** Filters by the product on Enter or on leaving the field: only a whole name matches. */
function ProductField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const listId = useId()
  const { data: names } = useFilterNames()
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
        list={listId}
        autoComplete="off"
        spellCheck={false}
        maxLength={256}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={ask}
      />
      <datalist id={listId}>
        {names?.products.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </form>
  )
}
