import { ToolError } from './errors.ts'

const minuteMs = 60_000
const perMinuteMax = 30

/** How many requests of a customer's quota a model may spend, whatever it asks for. */
export class Budget {
  readonly #perDayMax: number
  #recent: number[] = []
  #day = ''
  #today = 0
  /** Counted when they were allowed, and not sent yet. */
  #allowed = 0

  constructor(perDayMax: number) {
    this.#perDayMax = perDayMax
  }

  /** Each request that is sent, those of a walk and of a second try too. */
  count(nowMs = Date.now()): void {
    if (this.#allowed > 0) this.#allowed -= 1
    else this.#add(nowMs)
  }

  /**
   * Before a request. It is counted at once: many that are asked for at the same time are not sent before one of them counts.
   * @throws ToolError where no request may be sent now
   */
  take(nowMs = Date.now()): void {
    this.#move(nowMs)
    if (this.#today >= this.#perDayMax)
      throw new ToolError(
        `This program has made ${this.#today} requests today, and makes at most ${this.#perDayMax}, so that a model does not use up the quota of the key. It begins again at midnight UTC; RATECARD_MCP_REQUESTS_PER_DAY sets another limit.`,
      )
    const [first] = this.#recent
    if (first !== undefined && this.#recent.length >= perMinuteMax)
      throw new ToolError(
        `This program makes at most ${perMinuteMax} requests a minute. Wait ${Math.ceil((first + minuteMs - nowMs) / 1_000)} seconds, and ask for more rows at once.`,
      )
    this.#add(nowMs)
    this.#allowed += 1
  }

  #add(nowMs: number): void {
    this.#move(nowMs)
    this.#recent.push(nowMs)
    this.#today += 1
  }

  #move(nowMs: number): void {
    const day = new Date(nowMs).toISOString().slice(0, 10)
    if (day !== this.#day) {
      this.#day = day
      this.#today = 0
    }
    this.#recent = this.#recent.filter((atMs) => nowMs - atMs < minuteMs)
  }
}

const ageMsMax = 60_000
const entriesMax = 100

/** Answers of the last minute. A question that is asked twice at once is asked once. */
export class AnswerCache<Answer> {
  readonly #answers = new Map<string, { atMs: number; answer: Promise<Answer> }>()

  async get(
    question: string,
    ask: () => Promise<Answer>,
    nowMs = Date.now(),
  ): Promise<{ answer: Answer; isKept: boolean }> {
    const kept = this.#answers.get(question)
    if (kept !== undefined && nowMs - kept.atMs < ageMsMax) return { answer: await kept.answer, isKept: true }
    const answer = ask()
    this.#answers.delete(question)
    this.#answers.set(question, { atMs: nowMs, answer })
    const [oldest] = this.#answers.keys()
    if (this.#answers.size > entriesMax && oldest !== undefined) this.#answers.delete(oldest)
    try {
      return { answer: await answer, isKept: false }
    } catch (error) {
      if (this.#answers.get(question)?.answer === answer) this.#answers.delete(question)
      throw error
    }
  }
}
