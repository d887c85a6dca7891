import { CodeBlock } from '../../components/CodeBlock.tsx'

/** Shown once. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  return (
    <>
      <p>
        Each of these replaces the app once. Keep them where you find them without it; they are shown only
        now.
      </p>
      <CodeBlock what="recovery codes" code={codes.join('\n')} />
    </>
  )
}
