import { formatNumber } from '@ratecard/contract/wording'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { askData } from '../../api/queries.ts'
import { SelectField } from '../../components/SelectField.tsx'
import { NamesField } from './NamesField.tsx'

export type Filter = Schemas['WholeFilter']

const vendorsMax = 20
const productsMax = 50
const pauseMs = 250

const severities = [2, 3, 4, 5].map((severity) => ({
  value: String(severity),
  label: severity === 5 ? '5' : `${severity} or more`,
}))

/** Of which changes a webhook is told, with what that would have been lately. */
export function FilterFields({ value, onChange }: { value: Filter; onChange: (filter: Filter) => void }) {
  // Without suggestions every name can be typed.
  const { data: names } = useQuery({ ...askData('GET /webhook-filter-names'), staleTime: 600_000 })
  const { vendors, products, min_severity: severity } = value
  const ofVendors = (names?.products ?? []).filter(
    (product) => vendors.length === 0 || vendors.some((vendor) => product.startsWith(`${vendor}/`)),
  )
  return (
    <>
      <NamesField
        label="Vendors"
        hint="Any of these. None: all vendors."
        value={vendors}
        onChange={(next) => onChange({ ...value, vendors: next })}
        suggestions={names?.vendors ?? []}
        max={vendorsMax}
      />
      <NamesField
        label="Products"
        hint="Any of these, such as openai/gpt-4o. None: all products."
        value={products}
        onChange={(next) => onChange({ ...value, products: next })}
        suggestions={ofVendors}
        max={productsMax}
      />
      <SelectField
        label="Severity"
        none="Any"
        value={severity === 1 ? null : String(severity)}
        options={severities}
        onChange={(next) => onChange({ ...value, min_severity: Number(next ?? 1) })}
      />
      <Preview of={value} />
    </>
  )
}

/** The filter counts against the changes of the last months as it is put together. */
function Preview({ of: filter }: { of: Filter }) {
  const [asked, setAsked] = useState(filter)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(filter), pauseMs)
    return () => clearTimeout(timer)
  }, [filter])
  const { data, error } = useQuery({
    ...askData('POST /webhook-filter', { body: asked }),
    staleTime: 60_000,
    // The words of the filter before stay until those of this one come.
    placeholderData: keepPreviousData,
  })
  return (
    <p
      className="preview"
      role="status"
      data-tone={data?.matching === 0 && data.all > 0 ? 'warn' : undefined}
    >
      {error ? error.message : data && previewText(data)}
    </p>
  )
}

function previewText({ days, matching, all }: Schemas['FilterPreview']): string {
  if (all === 0) return `There was no change in the last ${days} days.`
  if (matching === 0)
    return `Matches no change of the last ${days} days. All that is set must hold; a name that is new may still come.`
  const [some, whole] = [formatNumber(matching), formatNumber(all)]
  return matching === all
    ? `Matches all ${whole} changes of the last ${days} days.`
    : `Matches ${some} of ${whole} changes of the last ${days} days.`
}
