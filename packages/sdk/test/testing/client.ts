import type { FakeRatecard } from '../../src/testing.ts'

/** Asks a fake by its plain `fetch`. */
export function get(
  fake: FakeRatecard,
  path: string,
  { key = fake.apiKey, ...init }: RequestInit & { key?: string } = {},
): Promise<Response> {
  return fake.fetch(fake.baseUrl + path, { ...init, headers: { authorization: `Bearer ${key}` } })
}

/** What is left of the daily quota by the headers, and whether a pack paid. */
export async function quotaOf(answer: Promise<Response>): Promise<[number, string | null, string | null]> {
  const { status, headers } = await answer
  return [status, headers.get('x-ratelimit-remaining'), headers.get('x-ratelimit-topup')]
}

export async function rowsOf<Row>(answer: Promise<Response>): Promise<Row[]> {
  return ((await (await answer).json()) as { data: Row[] }).data
}
