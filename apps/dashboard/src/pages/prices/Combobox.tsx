import { useId, useRef, useState, type KeyboardEvent } from 'react'

export interface Option {
  id: string
  name: string
  hint?: string
}

export interface ComboboxProps {
  label: string
  /** What is chosen, in words; null: nothing. */
  chosen: string | null
  placeholder?: string
  /** What is offered for a text; undefined: that is being read. */
  find: (text: string) => readonly Option[] | undefined
  /** Somebody is about to type. */
  onBegin?: () => void
  /** Null: nothing any more. */
  onChoose: (id: string | null) => void
  /** Whether the text is empty again after a choice, for the next one. */
  isRepeated?: boolean
}

/** A field that offers what is meant while one types: by arrows and Enter, or a press. */
export function Combobox({
  label,
  chosen,
  placeholder,
  find,
  onBegin,
  onChoose,
  isRepeated = false,
}: ComboboxProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  // Null: nobody types, so the field says what is chosen.
  const [typed, setTyped] = useState<string | null>(null)
  const [active, setActive] = useState(0)
  const isOpen = typed !== null && typed.trim() !== ''
  const found = isOpen ? find(typed) : []
  const options = found ?? []
  const choose = (option: Option) => {
    setTyped(isRepeated ? '' : null)
    onChoose(option.id)
  }
  const act = (event: KeyboardEvent) => {
    const move = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (move !== undefined && options.length > 0) {
      event.preventDefault()
      setActive((active + move + options.length) % options.length)
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault()
      const option = options[active]
      if (option) choose(option)
    } else if (event.key === 'Escape' && isOpen) {
      // The dialog around it stays.
      event.preventDefault()
      event.stopPropagation()
      setTyped(null)
    }
  }
  return (
    <div className="field combobox">
      <label htmlFor={id}>{label}</label>
      <input
        ref={input}
        id={id}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && options.length > 0 ? `${id}-${active}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={placeholder}
        value={typed ?? chosen ?? ''}
        onFocus={({ target }) => {
          target.select()
          onBegin?.()
        }}
        onBlur={() => setTyped(null)}
        onChange={({ target: { value } }) => {
          setTyped(value)
          setActive(0)
          if (value === '' && chosen !== null) onChoose(null)
        }}
        onKeyDown={act}
      />
      <ul id={`${id}-list`} role="listbox" aria-label={label} hidden={!isOpen} className="options">
        {options.map((option, index) => (
          <li
            key={option.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === active}
            // Before the field loses the focus.
            onMouseDown={(event) => {
              event.preventDefault()
              choose(option)
            }}
          >
            {option.name}
            {option.hint && <span className="hint mono"> {option.hint}</span>}
          </li>
        ))}
        {isOpen && options.length === 0 && (
          <li role="option" aria-selected="false" aria-disabled="true" className="soft">
            {found ? 'Nothing is called so.' : 'Loading …'}
          </li>
        )}
      </ul>
    </div>
  )
}
