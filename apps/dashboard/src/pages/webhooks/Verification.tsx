import { useState } from 'react'
import { CodeBlock } from '../../components/CodeBlock.tsx'
import { SelectField } from '../../components/SelectField.tsx'
import { frameworks, receiverPath, type Framework } from './snippets.ts'

const options = Object.entries(frameworks).map(([value, { label }]) => ({ value, label }))

/** The code that receives and verifies alerts, for a framework to choose. */
export function Verification({ url }: { url: string }) {
  const [framework, setFramework] = useState<Framework>('express')
  const { install, file, code } = frameworks[framework]
  const path = receiverPath(url)
  return (
    <section className="stack part">
      <h2>Receive and verify</h2>
      <p className="soft">
        Each delivery is signed with your secret. <code>@ratecard/webhooks</code> checks the signature and the
        age on the bytes as they came, and answers who sends anything else with 401.
      </p>
      <div className="short">
        <SelectField
          label="Framework"
          value={framework}
          onChange={(value) => setFramework(value as Framework)}
          options={options}
        />
      </div>
      <CodeBlock code={`npm install ${install}`} what="command" />
      <p>
        <code>{file(path)}</code>, with the secret in the variable <code>RATECARD_WEBHOOK_SECRET</code>:
      </p>
      <CodeBlock code={code(path)} what="code" />
    </section>
  )
}
