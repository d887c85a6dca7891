import { IdleThread } from '../../../threads/idle-thread.ts'

const heapMb = 64
/** Starting takes some 0.3 s, on a machine that is busy 2 s. */
const paintMsMax = 20_000
const idleMs = 30_000

/** Paints pictures in a thread, one at a time. */
export class Painter {
  readonly #thread = new IdleThread<string, Uint8Array | { failure: string }>(
    new URL('./picture-thread.ts', import.meta.url),
    { heapMb, idleMs },
  )

  /** @throws Error when it takes too long, or cannot be painted */
  async paint(svg: string): Promise<Buffer> {
    const png = await this.#thread.ask(svg, paintMsMax)
    if (!('failure' in png)) return Buffer.from(png)
    this.#thread.end()
    throw new Error(png.failure)
  }
}
