interface Surroundings {
  process?: { env?: Record<string, string | undefined>; versions?: { node?: string; undici?: string } }
  navigator?: { userAgent?: string }
}

/** The value of an environment variable; undefined where there are none. */
export function readEnvironment(name: string): string | undefined {
  try {
    return (globalThis as Surroundings).process?.env?.[name]
  } catch {
    // Deno throws when reading the environment is not allowed.
    return undefined
  }
}

/**
 * Whether `fetch` is undici 7, that of Node 24: it ends the process where a server closes its connection with the last
 * bytes of a packed answer of some 140 KB or more.
 */
export function isUndici7(): boolean {
  return /^7\./.test((globalThis as Surroundings).process?.versions?.undici ?? '')
}

/** Whether this is a web page or its worker. A simulated page in Node.js is none, nor are Deno, Bun and edge runtimes. */
export function isBrowser(): boolean {
  const { process, navigator } = globalThis as Surroundings
  return !process?.versions?.node && /^Mozilla\//.test(navigator?.userAgent ?? '')
}
