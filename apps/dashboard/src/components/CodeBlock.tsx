import { CopyButton } from './CopyButton.tsx'

/**
 * Lines to copy. Long lines scroll in their own box, by keyboard too.
 * @param what the name of the block, such as "receiver"
 */
export function CodeBlock({ code, what }: { code: string; what: string }) {
  return (
    <div className="code-block">
      <pre tabIndex={0} role="region" aria-label={what}>
        <code>{code}</code>
      </pre>
      <CopyButton text={code} what={what} />
    </div>
  )
}
