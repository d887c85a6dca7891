import { z } from 'zod'
import type { ModelFacts } from '../../../catalog/model-facts.ts'

// What the lists state of models beside prices. A value that is none of its kind is not stated; a row is never refused
// for it.

const Tokens = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number),
  ])
  .pipe(z.int().positive().max(1_000_000_000))
  .optional()
  .catch(undefined)
const Day = z
  .string()
  .regex(/^20\d\d-(?:0[1-9]|1[0-2])(?:-[0-3]\d)?$/)
  .optional()
  .catch(undefined)
const Flag = z.boolean().optional().catch(undefined)
const Words = z.array(z.string()).optional().catch(undefined)
const part = <Shape extends z.ZodRawShape>(shape: Shape) => z.looseObject(shape).optional().catch(undefined)

const ModelsDev = z.looseObject({
  limit: part({ context: Tokens, input: Tokens, output: Tokens }),
  release_date: Day,
  knowledge: Day,
  modalities: part({ input: Words }),
  ...{ tool_call: Flag, reasoning: Flag, structured_output: Flag },
})

export function modelsDevFacts(row: unknown): ModelFacts {
  const { limit, modalities, ...stated } = ModelsDev.safeParse(row).data ?? {}
  return withoutGaps({
    context_tokens: limit?.context,
    input_tokens: limit?.input,
    output_tokens: limit?.output,
    released_on: stated.release_date,
    knowledge_until: stated.knowledge,
    vision: modalities?.input?.includes('image'),
    audio: modalities?.input?.includes('audio'),
    tools: stated.tool_call,
    reasoning: stated.reasoning,
    schemas: stated.structured_output,
  })
}

const Litellm = z.looseObject({
  ...{ max_input_tokens: Tokens, max_output_tokens: Tokens },
  ...{ supports_vision: Flag, supports_audio_input: Flag, supports_function_calling: Flag },
  ...{ supports_reasoning: Flag, supports_response_schema: Flag },
})

/** Its `max_input_tokens` is the context of most models, and of some the input alone. */
export function litellmFacts(row: unknown): ModelFacts {
  const stated = Litellm.safeParse(row).data ?? {}
  return withoutGaps({
    input_tokens: stated.max_input_tokens,
    output_tokens: stated.max_output_tokens,
    vision: stated.supports_vision,
    audio: stated.supports_audio_input,
    tools: stated.supports_function_calling,
    reasoning: stated.supports_reasoning,
    schemas: stated.supports_response_schema,
  })
}

const OpenRouter = z.looseObject({
  context_length: Tokens,
  top_provider: part({ max_completion_tokens: Tokens }),
  knowledge_cutoff: Day,
  architecture: part({ input_modalities: Words }),
  supported_parameters: Words,
})

/** Its `created` is the day on which it began to sell the model. */
export function openrouterFacts(row: unknown): ModelFacts {
  const { architecture, supported_parameters: takes, ...stated } = OpenRouter.safeParse(row).data ?? {}
  return withoutGaps({
    context_tokens: stated.context_length,
    output_tokens: stated.top_provider?.max_completion_tokens,
    knowledge_until: stated.knowledge_cutoff,
    vision: architecture?.input_modalities?.includes('image'),
    audio: architecture?.input_modalities?.includes('audio'),
    tools: takes?.includes('tools'),
    reasoning: takes?.includes('reasoning'),
    schemas: takes?.includes('structured_outputs'),
  })
}

type Gaps<T> = { [Key in keyof T]: T[Key] | undefined }

function withoutGaps(facts: Gaps<ModelFacts>): ModelFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}
