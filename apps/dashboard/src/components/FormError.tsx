/** Why what was asked for was not done, said aloud where it was asked. Nothing while there is nothing to say. */
export function FormError({ error }: { error: Error | null }) {
  return (
    error && (
      <p className="form-error" role="alert">
        {error.message}
      </p>
    )
  )
}
