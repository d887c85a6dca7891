/** A link to an email address or to a page. */
export function Contact({ contact }: { contact: string }) {
  return <a href={/^https?:/.test(contact) ? contact : `mailto:${contact}`}>{contact}</a>
}
