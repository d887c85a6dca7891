import { useSyncExternalStore } from 'react'

// Whether the server can be reached: by what requests find, and while it cannot, by asking for no more than that.

const askEveryMs = 2_000

let isAway = false
let timer: ReturnType<typeof setInterval> | undefined
const listeners = new Set<() => void>()

/** A request was not answered. */
export function noteAway(): void {
  timer ??= setInterval(() => void ask(), askEveryMs)
  set(true)
}

/** A request was answered, whatever the answer. */
export function noteAnswer(): void {
  clearInterval(timer)
  timer = undefined
  set(false)
}

export async function isReachable(): Promise<boolean> {
  const answer = await fetch('/health', { cache: 'no-store' }).catch(() => null)
  return answer?.ok === true
}

async function ask(): Promise<void> {
  if (await isReachable()) noteAnswer()
}

function set(value: boolean): void {
  if (isAway === value) return
  isAway = value
  for (const listener of listeners) listener()
}

export function useIsAway(): boolean {
  return useSyncExternalStore(listen, () => isAway)
}

function listen(onChange: () => void): () => void {
  listeners.add(onChange)
  return () => listeners.delete(onChange)
}

/** Calls back once the server can be reached again. */
export function onReturn(callBack: () => void): () => void {
  return listen(() => {
    if (!isAway) callBack()
  })
}

if (typeof window !== 'undefined') {
  window.addEventListener('offline', noteAway)
  window.addEventListener('online', () => void ask())
}
