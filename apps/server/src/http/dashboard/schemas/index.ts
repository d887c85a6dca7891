import type { z } from 'zod'
import type * as schemas from './all.ts'

/** What is asked and answered, by its name. What has a default may be left out. */
export type Schemas = { [Name in keyof typeof schemas]: z.input<(typeof schemas)[Name]> }
