import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { Link } from 'wouter'
import type { Schemas } from '../../../contract/index.ts'
import { useChangeNotifications } from '../../api/notifications.ts'
import { askData } from '../../api/queries.ts'
import { Badge, type Tone } from '../../components/Badge.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { ErrorState, Skeleton } from '../../components/states.tsx'
import { Table } from '../../components/Table.tsx'
import { Time } from '../../components/Time.tsx'
import { AccountHeader } from '../account/AccountHeader.tsx'
import './notifications.css'

type Notifications = Schemas['Notifications']
type Notice = Schemas['Notice']

const kinds: readonly { kind: Schemas['NoticeKind']; name: string; about: string }[] = [
  {
    kind: 'quota',
    name: 'Daily quota',
    about: 'A key has used 80 % or all of its daily requests. Sent once per key and day.',
  },
  {
    kind: 'packs',
    name: 'Packs',
    about: 'A tenth of your packs is left, nothing is left, or one ends in 7 days with requests in it.',
  },
  {
    kind: 'webhooks',
    name: 'Webhooks',
    about: 'An endpoint has failed for a day, or a webhook was switched off because of its failures.',
  },
  { kind: 'keys', name: 'Keys that expire', about: 'A key expires in 7 days.' },
  { kind: 'watched', name: 'Watch list', about: 'Changes to the products and vendors you watch.' },
]

const severities = [1, 2, 3, 4, 5].map((severity) => ({
  value: String(severity),
  label: severity === 1 ? 'Every change at once' : `At once from severity ${severity} of 5`,
}))

/** What the user is mailed, and was told. */
export default function NotificationsPage() {
  const { data, error, refetch } = useQuery(askData('GET /notifications'))
  return (
    <>
      <AccountHeader
        title="Notifications"
        about={data && `Emails to ${data.email} about the accounts you own and what you watch.`}
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data ? (
        <>
          {!data.can_mail && <NoMail />}
          <Choices of={data} />
          <section className="stack latest" aria-labelledby="latest">
            <h2 id="latest">Latest</h2>
            <Latest notices={data.notices} />
          </section>
        </>
      ) : (
        <Skeleton rows={8} />
      )}
    </>
  )
}

function NoMail() {
  return (
    <div className="notice" data-tone="warn">
      <h2>Email is not configured</h2>
      <p>
        Notices that would be emailed are listed below. An operator connects a mail server with{' '}
        <code>SMTP_URL</code>.
      </p>
    </div>
  )
}

function Choices({ of: { kinds: on, at_once_severity: severity } }: { of: Notifications }) {
  const { mutate } = useChangeNotifications()
  return (
    <section className="stack" aria-labelledby="choices">
      <h2 id="choices">Email me about</h2>
      <ul className="choices">
        {kinds.map(({ kind, name, about }) => (
          <li key={kind}>
            <Choice name={name} about={about} isOn={on[kind]} onChange={(isOn) => mutate({ [kind]: isOn })} />
            {kind === 'watched' && on.watched && (
              <div className="stack-tight short choice-more">
                <SelectField
                  label="How soon"
                  none="Once a day, in the morning (UTC)"
                  value={severity?.toString() ?? null}
                  options={severities}
                  onChange={(value) => mutate({ at_once_severity: value === null ? null : Number(value) })}
                />
                <p className="hint">Everything else comes in a daily digest.</p>
              </div>
            )}
          </li>
        ))}
      </ul>
      <p className="soft">
        At most 10 emails a day, then one with the rest. Each has a link to unsubscribe from its kind.
      </p>
    </section>
  )
}

function Choice({
  name,
  about,
  isOn,
  onChange,
}: {
  name: string
  about: string
  isOn: boolean
  onChange: (isOn: boolean) => void
}) {
  const id = useId()
  return (
    <div className="choice">
      <input
        id={id}
        type="checkbox"
        role="switch"
        className="switch"
        checked={isOn}
        aria-describedby={`${id}-about`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{name}</label>
      <p id={`${id}-about`} className="hint">
        {about}
      </p>
    </div>
  )
}

const outcomes: Readonly<Record<Notice['outcome'], { label: string; tone?: Tone }>> = {
  waiting: { label: 'on its way' },
  mailed: { label: 'mailed', tone: 'good' },
  collected: { label: 'mailed with others', tone: 'good' },
  refused: { label: 'refused by the mailbox', tone: 'bad' },
  off: { label: 'switched off' },
  not_mailed: { label: 'not mailed', tone: 'warn' },
}

function Latest({ notices }: { notices: readonly Notice[] }) {
  if (notices.length === 0) return <p className="soft">No notices in the last 60 days.</p>
  return (
    <Table<Notice>
      caption="Notices, latest first"
      rows={notices}
      rowKey={({ id }) => id}
      columns={[
        { label: 'What', cell: ({ subject, path }) => <Link href={`~${path}`}>{subject}</Link> },
        { label: 'Account', cell: ({ account }) => <bdi>{account.name}</bdi> },
        { label: 'When', cell: ({ at }) => <Time value={at} /> },
        {
          label: 'Mail',
          cell: ({ outcome }) => <Badge tone={outcomes[outcome].tone}>{outcomes[outcome].label}</Badge>,
        },
      ]}
    />
  )
}
