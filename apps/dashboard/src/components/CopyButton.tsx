import { useToast } from './Toast.tsx'
import { Button } from './Button.tsx'

/** @param what names the thing, such as "key" */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const toast = useToast()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      toast(`The ${what} is copied.`)
    } catch {
      toast(`The browser does not let the page copy. Select the ${what} and copy it yourself.`)
    }
  }
  return <Button onClick={() => void copy()}>Copy {what}</Button>
}
