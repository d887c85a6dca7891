import type { ComponentProps } from 'react'

export interface ButtonProps extends ComponentProps<'button'> {
  kind?: 'primary' | 'plain' | 'danger'
  /** While what it began is under way: it cannot be pressed again. */
  busy?: boolean
}

export function Button({ kind = 'plain', busy = false, disabled, type = 'button', ...props }: ButtonProps) {
  return (
    <button
      {...props}
      type={type}
      className="button"
      data-kind={kind}
      disabled={disabled === true || busy}
      aria-busy={busy}
    />
  )
}
