import type { ReactNode } from 'react'
import { ApiFailure } from '../api/client.ts'
import { Button } from './Button.tsx'

/** Says that there are no entries yet, and how to get some. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** Says why the data could not be read, and offers to try again. */
export function ErrorState({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const requestId = error instanceof ApiFailure ? error.requestId : null
  return (
    <div className="notice" data-tone="bad" role="alert">
      <h2>This could not be loaded</h2>
      <p>{error.message}</p>
      {requestId && (
        <p className="soft">
          Request <code>{requestId}</code>
        </p>
      )}
      <Button onClick={onRetry}>Try again</Button>
    </div>
  )
}

/** Whether an error stands in place of the data. While the server is away, what was read before stays. */
export function replaces(error: Error | null, data: unknown): error is Error {
  const isAway = error instanceof ApiFailure && error.code === 'unreachable'
  return error !== null && !(isAway && data !== undefined)
}

interface LoadedProps<Data> {
  of: { data: Data | undefined; error: Error | null; refetch: () => Promise<unknown> }
  /** How many rows stand in the place of the data. */
  rows: number
  children: (data: Data) => ReactNode
}

/** What is read once it is there, until then its placeholder, or why it could not be read. */
export function Loaded<Data>({ of: { data, error, refetch }, rows, children }: LoadedProps<Data>) {
  if (replaces(error, data)) return <ErrorState error={error} onRetry={() => void refetch()} />
  return data === undefined ? <Skeleton rows={rows} /> : children(data)
}

/** Placeholder of rows that are being read. */
export function Skeleton({ rows = 4 }: { rows?: number }) {
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">Loading …</span>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} aria-hidden="true" />
      ))}
    </div>
  )
}
