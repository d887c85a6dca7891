import { useAction } from '../../api/queries.ts'
import { Button } from '../../components/Button.tsx'
import { Exchange } from './Exchange.tsx'
import { milliseconds } from './words.ts'

/** Sends a test and shows the endpoint's answer. */
export function TestAlert({ id }: { id: string }) {
  const { mutate, data, error, isPending } = useAction('POST /webhooks/{id}/test')
  return (
    <section className="stack part">
      <h2>Try it out</h2>
      <p className="soft">
        Sends a signed sample event, marked with <code>x-svc-test: true</code>. It is sent once and not
        counted as a delivery.
      </p>
      <div className="row">
        <Button kind="primary" onClick={() => mutate({ path: { id } })} busy={isPending}>
          {isPending ? 'Waiting for the answer …' : 'Send a test'}
        </Button>
      </div>
      <div role="status">
        {error && <p className="form-error">{error.message}</p>}
        {data && !isPending && (
          <div className="notice" data-tone={data.error_class === null ? 'good' : 'bad'}>
            <p>
              {data.error_class === null ? (
                <>
                  <strong>Delivered.</strong> The endpoint answered {data.status} after{' '}
                  {milliseconds(data.duration_ms)}.
                </>
              ) : (
                <>
                  <strong>Not delivered</strong> ({data.error_class}, after {milliseconds(data.duration_ms)}).{' '}
                  {data.error}
                </>
              )}
            </p>
          </div>
        )}
      </div>
      {data?.exchange && !isPending && (
        <details className="fold">
          <summary>Request and response</summary>
          <Exchange of={data.exchange} what="the test" />
        </details>
      )}
    </section>
  )
}
