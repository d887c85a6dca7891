import { Check } from 'lucide-react'

/** What the plan gives that the free one does not. The numbers are those of the interface. */
export function WhatDeveloperAdds() {
  return (
    <ul className="stack-tight adds">
      {adds.map((text) => (
        <li key={text}>
          <Check aria-hidden="true" />
          {text}
        </li>
      ))}
    </ul>
  )
}

const adds = [
  '10,000 requests a day for each key, in place of 100',
  'Changes in full: before and after, deadlines, impact, alternatives',
  'Two active webhooks, signed, with retries',
  'More keys',
]
