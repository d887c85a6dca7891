import { costOf } from './cost-of.ts'
import { UsageError } from './errors.ts'
import { forCore } from './overrides.ts'
import { readAISDK, type AiSdkOptions } from './readers/ai-sdk.ts'
import { countsCachedIn, toPlatform } from './readers/provider.ts'
import type { Cost, CostOptions } from './types.ts'

// What the Vercel AI SDK's calls cost. Only the parts of its types that are used are named here: the middleware fits the
// versions 5, 6 and 7, whose specifications of models are v2, v3 and v4.

/** The model that was called, as the SDK names it. */
export interface CalledModel {
  /** `openai.responses`, `anthropic.messages`, … */
  readonly provider: string
  readonly modelId: string
}

/** How calls are priced, and who is told. What is not named here is taken from the model and its answer. */
export interface CostMiddlewareOptions extends CostOptions, AiSdkOptions {
  /** Told what each call cost. Of a stream when it ends. */
  readonly onCost?: (cost: Cost, model: CalledModel) => unknown
  /** Told of calls whose cost nobody knows (no usage, a stream that was cut off), and of what fails in `onCost`. */
  readonly onError?: (error: unknown, model: CalledModel) => unknown
}

/** What the SDK's `wrapLanguageModel` and `wrapEmbeddingModel` take. */
export interface CostMiddleware {
  /** Each version of the SDK wants a text of its own here and looks at it only in its types. */
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly specificationVersion: any
  wrapGenerate<Result extends object>(call: {
    readonly doGenerate: () => PromiseLike<Result>
    readonly model: CalledModel
  }): Promise<Result>
  wrapStream<Result extends { readonly stream: object }>(call: {
    readonly doStream: () => PromiseLike<Result>
    readonly model: CalledModel
  }): Promise<Result>
  wrapEmbed<Result extends object>(call: {
    readonly doEmbed: () => PromiseLike<Result>
    readonly model: CalledModel
  }): Promise<Result>
}

/**
 * Middleware for models of the Vercel AI SDK: each call's cost goes to `onCost`, and to `providerMetadata.ratecard` of the
 * result. It changes nothing else, and throws nothing into the program.
 * @example wrapLanguageModel({ model, middleware: costMiddleware({ catalog, onCost }) })
 */
export function costMiddleware(options: CostMiddlewareOptions): CostMiddleware {
  return {
    specificationVersion: 'v4',
    wrapGenerate: async ({ doGenerate, model }) => withCost(await doGenerate(), model, options),
    wrapEmbed: async ({ doEmbed, model }) => withCost(await doEmbed(), model, options),
    wrapStream: async ({ doStream, model }) => {
      const result = await doStream()
      const stream = watched(result.stream as ReadableStream<Part>, model, options)
      return { ...result, stream }
    },
  }
}

interface Part {
  readonly type: string
  readonly usage?: unknown
  readonly providerMetadata?: unknown
}

/** The parts as they come. The last one, which has the usage, gets the cost. */
function watched(
  source: ReadableStream<Part>,
  model: CalledModel,
  options: CostMiddlewareOptions,
): ReadableStream<Part> {
  const reader = source.getReader()
  let response: object = {}
  let isPriced = false
  const cutOff = () => {
    if (!isPriced)
      tell(
        options,
        model,
        new UsageError('The stream ended before it told its usage: its cost is not known.'),
      )
    isPriced = true
  }
  return new ReadableStream<Part>(
    {
      pull: async (controller) => {
        const { done, value } = await reader.read().catch((error: unknown) => {
          cutOff()
          throw error
        })
        if (done) {
          cutOff()
          return controller.close()
        }
        // A part with the model that answers, and when.
        if (value.type === 'response-metadata') response = value
        if (value.type !== 'finish') return controller.enqueue(value)
        isPriced = true
        controller.enqueue(withCost(value, model, options, response))
      },
      cancel: (reason) => {
        cutOff()
        return reader.cancel(reason)
      },
    },
    // Nothing is read ahead: who is slow is waited for, as without this.
    { highWaterMark: 0 },
  )
}

/** The result, or the last part of a stream, with its cost. */
function withCost<Result extends object>(
  result: Result,
  model: CalledModel,
  options: CostMiddlewareOptions,
  response?: object,
): Result {
  const { providerMetadata } = result as Part
  let ratecard: object
  try {
    const answer = response === undefined ? result : { ...result, response }
    const cost = priceCall(answer, model, options)
    ratecard = toMetadata(cost)
    hand(() => options.onCost?.(cost, model), options, model)
  } catch (error) {
    tell(options, model, error)
    ratecard = {
      total: null,
      message: error instanceof UsageError ? error.message : 'It could not be priced.',
    }
  }
  return { ...result, providerMetadata: { ...(providerMetadata as object | undefined), ratecard } }
}

function priceCall(answer: object, { provider, modelId }: CalledModel, options: CostMiddlewareOptions): Cost {
  const platform = options.platform ?? toPlatform(provider)
  const usage = readAISDK(answer, { ...isIn(platform), ...options })
  return costOf({ model: modelId, at: new Date(), ...usage }, forCore({ ...options, platform }))
}

function isIn(platform: string): AiSdkOptions {
  const cachedIn = countsCachedIn(platform)
  return cachedIn === undefined ? {} : { cachedIn }
}

/** As JSON has it: the amounts as texts, since they are exact. */
function toMetadata(cost: Cost): object {
  const { total, currency, resourceId, unpriced, doubts, catalog } = cost
  return {
    total,
    ...(cost.isWhole ? {} : { atLeast: cost.atLeast }),
    currency,
    resourceId,
    unpriced: unpriced.map(({ meter, reason }) => ({ meter, reason })),
    doubts: [...doubts],
    catalogVersion: catalog.version,
  }
}

function tell(options: CostMiddlewareOptions, model: CalledModel, error: unknown): void {
  try {
    Promise.resolve(options.onError?.(error, model)).catch(() => {})
  } catch {
    // Nobody is left to tell.
  }
}

/** What a listener throws, now or later, goes to the other one. */
function hand(work: () => unknown, options: CostMiddlewareOptions, model: CalledModel): void {
  try {
    Promise.resolve(work()).catch((error: unknown) => tell(options, model, error))
  } catch (error) {
    tell(options, model, error)
  }
}
