import { createContext, use, useCallback, useState, type ReactNode } from 'react'

const shownMs = 5_000
let nextId = 0

const ToastContext = createContext<(text: string) => void>(() => undefined)

/** Confirms an action for a few seconds. A message that must not be missed belongs on the page. */
export function useToast(): (text: string) => void {
  return use(ToastContext)
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<{ id: number; text: string }[]>([])
  const show = useCallback((text: string) => {
    const id = nextId++
    setToasts((shown) => [...shown, { id, text }])
    setTimeout(() => setToasts((shown) => shown.filter((toast) => toast.id !== id)), shownMs)
  }, [])
  return (
    <ToastContext value={show}>
      {children}
      <div className="toasts" role="status">
        {toasts.map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
      </div>
    </ToastContext>
  )
}
