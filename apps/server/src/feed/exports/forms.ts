import type { Form } from './form.ts'
import { writeLitellm } from './litellm.ts'

const json = 'application/json'

/** The forms of other programs, by the name that an operator types. */
export const forms = {
  litellm: {
    title: 'LiteLLM',
    about: "LiteLLM's model_prices_and_context_window.json: its own rows, with these prices",
    file: 'litellm.json',
    type: json,
    upstream: 'litellm',
    write: writeLitellm,
  },
} satisfies Record<string, Form>
export type FormName = keyof typeof forms
export const formNames = Object.keys(forms) as FormName[]

/** The name of what says of a file what it holds. */
export function reportName(file: string): string {
  return `${file.replace(/\.[^./]+$/, '')}.report.json`
}
