/** The mark: prices that fall, step by step, on a card. `files/icon.svg` of the server has the same. */
export function Mark() {
  return (
    <svg className="mark" width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
      <rect width="32" height="32" rx="8" />
      <path d="M7 9h6v7h6v5h6" />
      <circle cx="25" cy="21" r="2.6" />
    </svg>
  )
}
