import type { ComponentProps, MouseEvent } from 'react'

export interface ButtonProps extends ComponentProps<'button'> {
  kind?: 'primary' | 'plain' | 'danger'
  /** `small`: one of several in a row of a table. */
  size?: 'small' | undefined
  /** While the action is under way the button cannot be pressed again. */
  busy?: boolean
}

export function Button({
  kind = 'plain',
  size,
  busy = false,
  disabled,
  onClick,
  type = 'button',
  ...props
}: ButtonProps) {
  return (
    <button
      {...props}
      type={type}
      className="button"
      data-kind={kind}
      data-size={size}
      disabled={disabled}
      onClick={busy ? refuse : onClick}
      aria-busy={busy}
      aria-disabled={busy}
    />
  )
}

/** Does not use `disabled`, which would take the focus away from the user who pressed the button. */
function refuse(event: MouseEvent): void {
  event.preventDefault()
}
