/** Why the form was not accepted, announced to screen readers. Renders nothing without an error. */
export function FormError({ error }: { error: Error | null }) {
  return (
    error && (
      <p className="form-error" role="alert">
        {error.message}
      </p>
    )
  )
}
