import type { ComponentProps } from 'react'

export interface FormProps extends Omit<ComponentProps<'form'>, 'onSubmit'> {
  /** Takes the typed values, by the names of the fields. */
  onSend: (values: Partial<Record<string, string>>) => void
}

/** A form that a script of the page sends. */
export function Form({ onSend, ...props }: FormProps) {
  return (
    <form
      className="stack"
      {...props}
      onSubmit={(event) => {
        event.preventDefault()
        // No field is a file.
        onSend(Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>)
      }}
    />
  )
}
