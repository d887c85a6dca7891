import { useId, useRef, useState, type KeyboardEvent } from 'react'

export interface NamesFieldProps {
  label: string
  hint: string
  value: readonly string[]
  onChange: (names: string[]) => void
  suggestions: readonly string[]
  /** Most names. */
  max: number
}

/** Several names. What is typed is taken with Enter, a comma, by leaving the field, or by choosing a suggestion. */
export function NamesField({ label, hint, value, onChange, suggestions, max }: NamesFieldProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const isFull = value.length >= max

  const take = (typed: string) => {
    const names = typed.split(',').map((name) => name.trim())
    const next = [...new Set([...value, ...names.filter((name) => name !== '')])].slice(0, max)
    setText('')
    if (next.length > value.length) onChange(next)
  }
  const remove = (name: string) => {
    onChange(value.filter((other) => other !== name))
    input.current?.focus()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && text.trim() !== '') {
      // The form is sent by the next Enter.
      event.preventDefault()
      take(text)
    }
    if (event.key === 'Backspace' && text === '') onChange(value.slice(0, -1))
  }

  return (
    <div className="field names">
      <label htmlFor={id}>{label}</label>
      {value.length > 0 && (
        <ul className="chips" aria-label={`Chosen: ${label}`}>
          {value.map((name) => (
            <li key={name}>
              <span>{name}</span>
              <button type="button" aria-label={`Remove ${name}`} onClick={() => remove(name)}>
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <input
        ref={input}
        id={id}
        list={`${id}-list`}
        value={text}
        disabled={isFull}
        autoComplete="off"
        spellCheck={false}
        maxLength={200}
        aria-describedby={`${id}-about`}
        onChange={({ target, nativeEvent }) => {
          // A suggestion that was chosen comes whole, and not letter by letter.
          const isChosen = !('data' in nativeEvent) || nativeEvent.data === null
          if (target.value.includes(',') || (isChosen && suggestions.includes(target.value)))
            take(target.value)
          else setText(target.value)
        }}
        onKeyDown={press}
        onBlur={() => take(text)}
      />
      <datalist id={`${id}-list`}>
        {suggestions
          .filter((name) => !value.includes(name))
          .map((name) => (
            <option key={name} value={name} />
          ))}
      </datalist>
      <span id={`${id}-about`} className="hint">
        {isFull ? `At most ${max}. Remove one to add another.` : hint}
      </span>
    </div>
  )
}
