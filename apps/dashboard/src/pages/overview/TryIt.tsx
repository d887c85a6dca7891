import { useMutation } from '@tanstack/react-query'
import { useState, type KeyboardEvent } from 'react'
import { ask } from '../../api/queries.ts'
import { queryClient } from '../../api/query-client.ts'
import { Button } from '../../components/Button.tsx'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { FormError } from '../../components/FormError.tsx'
import { firstRequest, languages, type Language } from './snippets.ts'

/** The first request, to copy or to send from here. @param apiKey null: it is not shown any more */
export function TryIt({ apiKey }: { apiKey: string | null }) {
  const [language, setLanguage] = useState<Language>('curl')
  return (
    <>
      <div className="tabs" role="tablist" aria-label="Language" onKeyDown={moveTab}>
        {languages.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            role="tab"
            id={`tab-${value}`}
            aria-selected={value === language}
            aria-controls="first-request"
            tabIndex={value === language ? 0 : -1}
            onClick={() => setLanguage(value)}
          >
            {label}
          </button>
        ))}
      </div>
      <div id="first-request" role="tabpanel" aria-labelledby={`tab-${language}`} className="stack">
        <CodeBlock
          code={firstRequest(language, location.origin, apiKey)}
          what={language === 'curl' ? 'command' : 'code'}
        />
      </div>
      {apiKey === null ? (
        <p className="hint">With the key in the variable RATECARD_API_KEY.</p>
      ) : (
        <SendFromHere apiKey={apiKey} />
      )}
    </>
  )
}

/** Arrows, Home and End go from tab to tab, as they do in every list of tabs. */
function moveTab(event: KeyboardEvent<HTMLElement>): void {
  const tabs = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')]
  const here = tabs.indexOf(document.activeElement as HTMLElement)
  const places: Partial<Record<string, number>> = {
    ArrowRight: (here + 1) % tabs.length,
    ArrowLeft: (here + tabs.length - 1) % tabs.length,
    Home: 0,
    End: tabs.length - 1,
  }
  const place = places[event.key]
  if (place === undefined) return
  event.preventDefault()
  tabs[place]?.focus()
  tabs[place]?.click()
}

/** Sends the request as a program would, with the key and without the session. */
function SendFromHere({ apiKey }: { apiKey: string }) {
  const { data, error, isPending, mutate } = useMutation({
    mutationFn: async () => {
      const response = await fetch('/v1/prices?limit=1', {
        headers: { authorization: `Bearer ${apiKey}` },
        credentials: 'omit',
        cache: 'no-store',
      })
      const text = await response.text()
      return `HTTP ${response.status}\n${prettyJson(text)}`
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ask('GET /overview').queryKey }),
  })
  return (
    <div className="stack">
      <p className="row">
        <Button busy={isPending} onClick={() => mutate()}>
          Send it from here
        </Button>
        <span className="hint">The same request, by this browser. It is counted as one.</span>
      </p>
      <FormError error={error} />
      {data !== undefined && <CodeBlock code={data} what="answer" />}
    </div>
  )
}

const shownMax = 2_000

function prettyJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, shownMax)
  } catch {
    return text.slice(0, shownMax)
  }
}
