import { CopyButton } from './CopyButton.tsx'

export interface CodeBlockProps {
  code: string
  /** Names it, such as "receiver". */
  what: string
}

/** Lines to copy. Long ones scroll in their own box, by keyboard too. */
export function CodeBlock({ code, what }: CodeBlockProps) {
  return (
    <div className="code-block">
      <pre tabIndex={0} role="region" aria-label={what}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} what={what} />
    </div>
  )
}
