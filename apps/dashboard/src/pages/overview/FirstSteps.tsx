import { useEffect, useRef, useState } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { useAction } from '../../api/queries.ts'
import { Button } from '../../components/Button.tsx'
import { CopyButton } from '../../components/CopyButton.tsx'
import { FormError } from '../../components/FormError.tsx'
import { Step } from './Step.tsx'
import { TryIt } from './TryIt.tsx'
import './first-steps.css'

/**
 * What leads a new account to its first counted request. The key is in the page's memory alone: after a reload the
 * command names its variable.
 */
export function FirstSteps({ steps: { has_key, is_counted } }: { steps: Schemas['FirstSteps'] }) {
  // The key is shown at once, and not after the steps know of one.
  const create = useAction('POST /keys', { waits: false })
  const end = useAction('POST /first-steps/end')
  const [key, setKey] = useState<string | null>(null)
  const makeKey = () =>
    create.mutate({ body: { name: 'First key' } }, { onSuccess: (made) => setKey(made.key) })
  const hasKey = has_key || key !== null
  return (
    <section className="panel wide first-steps" aria-labelledby="first-steps">
      <header className="between">
        <h2 id="first-steps">{is_counted ? 'You are set up' : 'Make your first request'}</h2>
        <Button size="small" busy={end.isPending} onClick={() => end.mutate({})}>
          {is_counted ? 'Done' : 'Dismiss'}
        </Button>
      </header>
      <FormError error={end.error} />
      <ol className="stack">
        <Step number={1} title="Create a key" state={hasKey ? 'done' : 'now'}>
          {key !== null ? (
            <NewKey value={key} />
          ) : hasKey ? (
            !is_counted && (
              <p className="soft">
                You have a key. If you lost it, <Link href="/keys">create another</Link>.
              </p>
            )
          ) : (
            <>
              <p>API keys identify your app. You can name, limit and revoke them later.</p>
              <FormError error={create.error} />
              <Button kind="primary" busy={create.isPending} onClick={makeKey}>
                Create a key
              </Button>
            </>
          )}
        </Step>
        <Step number={2} title="Send a request" state={is_counted ? 'done' : hasKey ? 'now' : 'later'}>
          {hasKey && !is_counted && <TryIt apiKey={key} />}
        </Step>
        <Step
          number={3}
          title={is_counted ? 'First request counted' : 'See it counted'}
          state={is_counted ? 'done' : 'later'}
        >
          {is_counted ? <NextSteps /> : hasKey && <Waiting />}
        </Step>
      </ol>
    </section>
  )
}

function NewKey({ value }: { value: string }) {
  const box = useRef<HTMLParagraphElement>(null)
  // The button that was pressed is gone: the focus goes to what it made.
  useEffect(() => box.current?.focus(), [])
  return (
    <>
      <p ref={box} tabIndex={-1}>
        Copy it now and keep it in a safe place: it is shown only here, until you leave this page.
      </p>
      <p className="row new-key">
        <code>{value}</code>
        <CopyButton text={value} what="key" />
      </p>
    </>
  )
}

function Waiting() {
  return (
    <p className="waiting" role="status">
      <span className="pulse" aria-hidden="true" />
      Waiting for your first request. This page updates by itself.
    </p>
  )
}

function NextSteps() {
  return (
    <>
      <p role="status">
        It is in <Link href="/usage">Usage</Link>, and in the <Link href="/requests">request log</Link>. What
        now:
      </p>
      <ul className="stack-tight">
        <li>
          <Link href="/webhooks">Get price alerts</Link>
          <span className="soft"> by signed webhook</span>
        </li>
        <li>
          <a href="/models">Browse models</a>
          <span className="soft"> and watch the models you use</span>
        </li>
        <li>
          <a href="/docs/">API reference</a>
          <span className="soft"> with examples</span>
        </li>
      </ul>
    </>
  )
}
