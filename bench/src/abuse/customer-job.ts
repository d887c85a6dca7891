/** What the customer's process is asked for. Each answer has the requests that ended since the last. */
export interface CustomerJob {
  command: 'start' | 'take' | 'stop'
  port: number
  key: string
}

export const pagesPerSecond = 50
