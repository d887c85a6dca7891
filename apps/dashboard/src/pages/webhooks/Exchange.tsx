import { useId, useState } from 'react'
import type { Schemas } from '../../../contract/index.ts'
import { CopyButton } from '../../components/CopyButton.tsx'

type ExchangeData = Schemas['Exchange']

interface ExchangeProps {
  of: ExchangeData
  /** Names it among others, such as "attempt 2". */
  what: string
}

/** What went over the line: the exact request, and the beginning of the answer. All of it is text. */
export function Exchange({ of: { url, request_headers, body, answer }, what }: ExchangeProps) {
  return (
    <div className="exchange">
      <div className="stack">
        <strong>Request</strong>
        <p className="breaks">
          <code>POST {url}</code>
        </p>
        <Headers of={request_headers} what={`request of ${what}`} />
        {body === null ? (
          <p className="soft">The body cannot be shown as it was sent: a change of it is gone.</p>
        ) : (
          <Body text={body} what={what} />
        )}
      </div>
      <div className="stack">
        <strong>Answer</strong>
        {answer === null ? (
          <p className="soft">None came.</p>
        ) : (
          <>
            <Headers of={answer.headers} what={`answer to ${what}`} />
            {answer.body === '' ? (
              <p className="soft">Without a body.</p>
            ) : (
              <pre tabIndex={0} role="region" aria-label={`Body of the answer to ${what}`}>
                <code>{answer.body}</code>
              </pre>
            )}
            {answer.is_cut && (
              <p className="soft">The answer went on. Of its body the first 1,024 bytes are kept.</p>
            )}
          </>
        )}
      </div>
    </div>
  )
}

function Headers({ of, what }: { of: Readonly<Record<string, string>>; what: string }) {
  const entries = Object.entries(of).toSorted(([one], [other]) => (one < other ? -1 : 1))
  if (entries.length === 0) return <p className="soft">None of the headers that are kept.</p>
  return (
    <dl className="stack-tight headers" aria-label={`Headers of the ${what}`}>
      {entries.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The body, to read or as it was sent. What is copied are the bytes that were signed. */
function Body({ text, what }: { text: string; what: string }) {
  const [isExact, setExact] = useState(false)
  const id = useId()
  return (
    <div className="stack">
      <div className="between">
        <label className="row" htmlFor={id}>
          <input id={id} type="checkbox" checked={isExact} onChange={() => setExact(!isExact)} />
          Byte for byte
        </label>
        <CopyButton text={text} what="body" />
      </div>
      <pre tabIndex={0} role="region" aria-label={`Body of ${what}`} data-exact={isExact}>
        <code>{isExact ? text : readable(text)}</code>
      </pre>
    </div>
  )
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}
