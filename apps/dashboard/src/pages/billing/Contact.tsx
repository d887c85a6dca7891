/** An address to write to, or a page. */
export function Contact({ contact }: { contact: string }) {
  return <a href={/^https?:/.test(contact) ? contact : `mailto:${contact}`}>{contact}</a>
}
