/** What a seller's own document says of a price, in its words: enough for anybody to check it. */
export interface QuotedDocument {
  /** Where it was read; null: from a file. */
  url: string | null
  /** Of its bytes, in hexadecimal digits. */
  sha256: string
  /** When it was read, RFC 3339 in UTC. */
  read_at: string
  quotes: readonly QuotedRow[]
}

interface QuotedRow {
  /** The amount columns, rates and fields that the row states. */
  of: readonly string[]
  /** Verbatim, at most 300 characters; null: its licence keeps it out of here. */
  text: string | null
  /** The bytes that hold it: the first, and the one after the last. */
  from: number
  to: number
}
