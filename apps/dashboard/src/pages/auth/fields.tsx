import { Field } from '../../components/Field.tsx'

const passwordLengthMin = 12
const passwordLengthMax = 128

export function EmailField() {
  return (
    <Field label="E-mail address" name="email" type="email" autoComplete="email" required maxLength={254} />
  )
}

export function NewPasswordField() {
  return (
    <Field
      label="New password"
      name="password"
      type="password"
      autoComplete="new-password"
      hint={`At least ${passwordLengthMin} characters.`}
      required
      minLength={passwordLengthMin}
      maxLength={passwordLengthMax}
    />
  )
}
