import { EncodedBody } from '../pipeline/encoded-body.ts'

/** The body of a list, ready to be sent. */
export class ListBytes extends EncodedBody {
  /** The state of the list that the rows show. */
  readonly version: string

  constructor(version: string, bytes: Buffer) {
    super(bytes)
    this.version = version
  }
}
