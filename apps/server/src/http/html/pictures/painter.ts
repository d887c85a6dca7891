import { Thread } from '../../../threads/thread.ts'

const memoryMb = 64
/** Starting takes some 0.3 s, on a machine that is busy 2 s. */
const paintMsMax = 20_000
const idleMs = 30_000

/** Paints pictures in a thread, one at a time. */
export class Painter {
  readonly #thread = new Thread<string, Uint8Array>(new URL('./picture-thread.ts', import.meta.url), {
    memoryMb,
    idleMs,
  })

  /** @throws Error when it takes too long, or cannot be painted */
  async paint(svg: string): Promise<Buffer> {
    try {
      return Buffer.from(await this.#thread.ask(svg, paintMsMax))
    } catch (error) {
      await this.#thread.end()
      throw error
    }
  }
}
