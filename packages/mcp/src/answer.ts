import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { toSentence, ToolError } from './errors.ts'

/** What a tool says: for programs, and for who reads. Both have all of it, since clients show one or the other. */
export interface Said<Structured> {
  readonly structured: Structured
  readonly text: string
}

interface Tool<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly input: Input
  readonly output: Output
  /** Whether it asks somebody outside of this machine by itself. */
  readonly isOpenWorld?: boolean
  readonly run: (input: z.output<Input>) => Promise<Said<z.input<Output>>>
}

/** What holds for all that tools tell. */
export interface Telling {
  /** Is in no answer, also when a server writes it into one. */
  readonly secret: string | null
  /** Told of failures that nobody has foreseen. */
  readonly report: (error: unknown) => void
}

/** The context of a model is small, whatever a record or a server says. */
const charsMax = 60_000

/** Registers a tool that reads and changes nothing. What it throws is a tool error with the sentence that mends it. */
export function register<Input extends z.ZodObject, Output extends z.ZodObject>(
  server: McpServer,
  { secret, report }: Telling,
  { name, title, description, input, output, isOpenWorld = false, run }: Tool<Input, Output>,
): void {
  const handler = async (given: unknown): Promise<CallToolResult> => {
    try {
      const { structured, text } = await run(given as z.output<Input>)
      const result = { content: [{ type: 'text' as const, text }], structuredContent: structured }
      if (JSON.stringify(result).length > charsMax)
        throw new ToolError(
          'The answer is too long for one call. Ask for less: a smaller limit, or more filters.',
        )
      return concealed(result, secret)
    } catch (error) {
      return concealed(
        { isError: true, content: [{ type: 'text', text: toSentence(error, report) }] },
        secret,
      )
    }
  }
  server.registerTool<z.ZodObject, z.ZodObject>(
    name,
    {
      title,
      description,
      inputSchema: input,
      outputSchema: buildOutline(output),
      annotations: {
        title,
        readOnlyHint: true,
        destructiveHint: false,
        idempotentHint: true,
        openWorldHint: isOpenWorld,
      },
    },
    handler,
  )
}

/**
 * The names and kinds of what an answer has, for the list of tools: it stands in the context of every conversation, and an
 * answer shows the rest itself.
 */
function buildOutline(output: z.ZodObject): z.ZodObject {
  const outlined = (field: z.ZodType): z.ZodType => {
    const { description } = field
    const outline =
      field instanceof z.ZodArray
        ? z.array(z.unknown())
        : field instanceof z.ZodObject
          ? z.looseObject({})
          : field instanceof z.ZodNullable && field.unwrap() instanceof z.ZodObject
            ? z.looseObject({}).nullable()
            : field
    return description === undefined ? outline : outline.describe(description)
  }
  return z.looseObject(
    Object.fromEntries(
      Object.entries(output.shape).map(([name, field]) => [name, outlined(field as z.ZodType)]),
    ),
  )
}

function concealed(result: CallToolResult, secret: string | null): CallToolResult {
  const json = JSON.stringify(result)
  const written = secret === null ? '' : JSON.stringify(secret).slice(1, -1)
  if (written === '' || !json.includes(written)) return result
  return JSON.parse(json.replaceAll(written, '[the key]')) as CallToolResult
}

/** Names and titles are a stranger's text: in an answer they stay on their line. */
export function plain(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
}

/** At most so many characters of it. */
export function short(text: string, charsMax: number): string {
  const line = plain(text)
  return line.length <= charsMax ? line : `${line.slice(0, charsMax - 1)}…`
}

export const stampSchema = z
  .object({
    origin: z.string().describe('shipped: not live; url, file: a snapshot; api: standard rates alone'),
    version: z.string(),
    generated_at: z.string(),
    as_of: z.string().nullable(),
    age_hours: z.number(),
    note: z.string().nullable().describe('why the prices are not live, or not fresh; tell it to the user'),
  })
  .describe('which state of which list of prices this rests on, and how old it is')

export type Stamp = z.infer<typeof stampSchema>

/** The last line of each text. */
export function stampText({ origin, version, age_hours: hours, note }: Stamp): string {
  const days = Math.floor(hours / 24)
  const age = days < 2 ? `${Math.floor(hours)} hours` : `${days} days`
  return `Prices: catalog ${plain(version)} (${origin}), ${age} old.${note === null ? '' : ` ${plain(note)}`}`
}

/** A text of bounded length, without what moves a cursor. */
export function words(max: number) {
  return z.string().trim().min(1).max(max)
}
