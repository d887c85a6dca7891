import { useSession } from '../../api/me.ts'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { Contact } from './Contact.tsx'

/** Shown where the server takes no payments: the operator's address, and to an operator what to type. */
export function AskOperator({ contact, accountId }: { contact: string | null; accountId: string }) {
  const { data: me } = useSession()
  return (
    <section className="notice" aria-labelledby="ask">
      <h2 id="ask">Contact your administrator to change plan</h2>
      <p>
        Nothing is sold on this page.{' '}
        {contact === null ? (
          'Write to whoever runs this server'
        ) : (
          <>
            Write to <Contact contact={contact} />
          </>
        )}{' '}
        and name your account, <code>{accountId}</code>.
      </p>
      <p className="soft">Changes apply immediately.</p>
      {me?.operator && (
        <>
          <p>You are an operator of this server. On its command line:</p>
          <CodeBlock
            what="commands"
            code={`ratecard topups grant --account ${accountId}\nratecard subscriptions set --account ${accountId} --plan developer`}
          />
        </>
      )}
    </section>
  )
}
