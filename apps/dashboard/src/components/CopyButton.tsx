import { useState } from 'react'
import { toast } from './Toast.tsx'
import { Button } from './Button.tsx'

const confirmedMs = 2_000

export interface CopyButtonProps {
  text: string
  /** What is copied, such as "key". */
  what: string
  label?: string
}

export function CopyButton({ text, what, label = `Copy ${what}` }: CopyButtonProps) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast(`The ${what} is copied.`)
      // Shown here too, because a dialog may cover the toasts.
      setCopied(true)
      setTimeout(() => setCopied(false), confirmedMs)
    } catch {
      toast(`The browser does not let the page copy. Select the ${what} and copy it yourself.`)
    }
  }
  return <Button onClick={() => void copy()}>{isCopied ? 'Copied' : label}</Button>
}
