import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

const heapMb = 64
/** Starting takes some 0.3 s, on a machine that is busy 2 s. */
const paintMsMax = 20_000
/** A thread that has nothing to do keeps its memory: it ends. */
const idleMs = 30_000

/** Paints pictures in a thread, which begins with the first and ends when none is asked for. One at a time. */
export class Painter {
  #thread: Worker | null = null
  #idle: NodeJS.Timeout | undefined

  /** @throws Error when it takes too long, or cannot be painted */
  async paint(svg: string): Promise<Buffer> {
    clearTimeout(this.#idle)
    const thread = (this.#thread ??= this.#start())
    const asked = AbortSignal.timeout(paintMsMax)
    try {
      const answer = once(thread, 'message', { signal: asked }) as Promise<[Uint8Array | { failure: string }]>
      thread.postMessage(svg)
      const [png] = await answer
      if ('failure' in png) throw new Error(png.failure)
      return Buffer.from(png)
    } catch (error) {
      this.#end()
      throw error
    } finally {
      this.#idle = setTimeout(() => this.#end(), idleMs).unref()
    }
  }

  #start(): Worker {
    const thread = new Worker(new URL('./picture-thread.ts', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: heapMb },
    })
    thread.unref()
    // Without a listener an error of the thread would end the process.
    thread.on('error', () => undefined)
    thread.on('exit', () => {
      if (this.#thread === thread) this.#thread = null
    })
    return thread
  }

  #end(): void {
    void this.#thread?.terminate()
    this.#thread = null
  }
}
