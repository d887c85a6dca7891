interface Surroundings {
  process?: { env?: Record<string, string | undefined>; versions?: { node?: string } }
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

/** Whether this is a web page or its worker. A simulated page in Node.js is none, nor are Deno, Bun and edge runtimes. */
export function isBrowser(): boolean {
  const { process, navigator } = globalThis as Surroundings
  return !process?.versions?.node && /^Mozilla\//.test(navigator?.userAgent ?? '')
}
