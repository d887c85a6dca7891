import { Component, type ReactNode } from 'react'

export interface ErrorBoundaryProps {
  /** Shown in place of the content that failed. */
  fallback: (error: Error) => ReactNode
  children: ReactNode
}

/** Contains a failure: a script that no longer exists, or a library that does not work in this browser. */
export class ErrorBoundary extends Component<ErrorBoundaryProps> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) }
  }

  override render(): ReactNode {
    const { error } = this.state
    return error === null ? this.props.children : this.props.fallback(error)
  }
}
