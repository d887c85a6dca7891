import { CopyButton } from './CopyButton.tsx'

export interface CodeBlockProps {
  code: string
  /** The name of the block, such as "receiver". */
  what: string
}

/** Lines to copy. Long lines scroll in their own box, by keyboard too. */
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
