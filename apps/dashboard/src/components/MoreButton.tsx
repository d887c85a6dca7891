import type { ReactNode } from 'react'
import { Button } from './Button.tsx'
import { ErrorState } from './states.tsx'

export interface MoreButtonProps {
  of: {
    hasNextPage: boolean
    isFetchingNextPage: boolean
    fetchNextPage: () => Promise<unknown>
    error: Error | null
  }
  children: ReactNode
}

/** Reads the next page of a list, as long as there is one; says why the last one could not be read. */
export function MoreButton({
  of: { hasNextPage, isFetchingNextPage, fetchNextPage, error },
  children,
}: MoreButtonProps) {
  if (error) return <ErrorState error={error} onRetry={() => void fetchNextPage()} />
  if (!hasNextPage) return null
  return (
    <div className="row">
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {children}
      </Button>
    </div>
  )
}
