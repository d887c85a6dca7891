import type { ReactNode } from 'react'
import { ApiFailure } from '../api/client.ts'
import { Button } from './Button.tsx'

/** Nothing is there yet, and how to get something. */
export function EmptyState({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className="notice">
      <h2>{title}</h2>
      {children}
    </div>
  )
}

/** It could not be read: why, and again. */
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

/** Where rows will be. */
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
