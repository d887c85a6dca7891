import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { annotate } from './runner.ts'

// One comment on a pull request, written anew when there is something else to say.

interface Comment {
  id: number
  body?: string
  user?: { type?: string; login?: string } | null
}

/** 100 each. */
const pagesMax = 10
const timeoutMs = 20_000

/**
 * @param marker by which the comment is found
 * @param isNeeded without it nothing is begun: a comment of before is brought up to date
 */
export async function comment(body: string, marker: string, isNeeded: boolean, token: string): Promise<void> {
  const number = await findPullRequest()
  if (number === null || token === '') return
  const { GITHUB_API_URL = 'https://api.github.com', GITHUB_REPOSITORY = '' } = process.env
  const repository = `${GITHUB_API_URL}/repos/${GITHUB_REPOSITORY}`
  const ask = createClient(token)
  try {
    const old = await findOwn(ask, `${repository}/issues/${number}/comments`, marker)
    const text = JSON.stringify({ body: `${marker}\n${body}` })
    if (old !== null) await ask(`${repository}/issues/comments/${old}`, 'PATCH', text)
    else if (isNeeded) await ask(`${repository}/issues/${number}/comments`, 'POST', text)
  } catch (error) {
    const { message, cause } = error as Error
    const why = [401, 403, 404].includes(cause as number)
      ? `the token may not write (${cause as number}). Of a fork it never may; else give the job "permissions: pull-requests: write".`
      : `GitHub did not take it (${message}).`
    annotate(
      'notice',
      `No comment was written on the pull request: ${why} The differences are in the summary.`,
    )
  }
}

async function findPullRequest(): Promise<number | null> {
  const path = process.env.GITHUB_EVENT_PATH
  if (!path) return null
  const event = JSON.parse(await readFile(path, 'utf8')) as { pull_request?: { number?: unknown } }
  const number = event.pull_request?.number
  return Number.isSafeInteger(number) ? (number as number) : null
}

type Ask = (url: string, method?: string, body?: string) => Promise<unknown>

function createClient(token: string): Ask {
  return async (url, method = 'GET', body) => {
    const answer = await fetch(url, {
      method,
      headers: {
        accept: 'application/vnd.github+json',
        authorization: `Bearer ${token}`,
        'user-agent': 'ratecard-action',
        'x-github-api-version': '2022-11-28',
      },
      ...(body !== undefined && { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!answer.ok) throw new Error(`status ${answer.status}`, { cause: answer.status })
    return answer.json()
  }
}

/** The comment that a run before has written. A person may write the marker, too: theirs is left alone. */
async function findOwn(ask: Ask, url: string, marker: string): Promise<number | null> {
  let login: string | undefined
  for (let page = 1; page <= pagesMax; page += 1) {
    const comments = (await ask(`${url}?per_page=100&page=${page}`)) as Comment[]
    for (const { id, body, user } of comments) {
      if (body?.startsWith(marker) !== true) continue
      if (user?.type === 'Bot') return id
      // A token of a person: the token of a workflow may not ask whose it is.
      login ??= await whose(ask)
      if (login !== '' && user?.login === login) return id
    }
    if (comments.length < 100) break
  }
  return null
}

async function whose(ask: Ask): Promise<string> {
  const { GITHUB_API_URL = 'https://api.github.com' } = process.env
  const user = (await ask(`${GITHUB_API_URL}/user`).catch(() => null)) as { login?: string } | null
  return user?.login ?? ''
}
