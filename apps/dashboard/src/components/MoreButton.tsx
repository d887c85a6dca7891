import type { ReactNode } from 'react'
import { Button } from './Button.tsx'

export interface MoreButtonProps {
  of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => Promise<unknown> }
  children: ReactNode
}

/** Reads the next page of a list, as long as there is one. */
export function MoreButton({
  of: { hasNextPage, isFetchingNextPage, fetchNextPage },
  children,
}: MoreButtonProps) {
  if (!hasNextPage) return null
  return (
    <div className="row">
      <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        {children}
      </Button>
    </div>
  )
}
