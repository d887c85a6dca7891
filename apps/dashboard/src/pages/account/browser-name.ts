// In this order: Edge also calls itself Chrome, and Chrome Safari.
const browsers: [RegExp, string][] = [
  [/\bEdg\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bFirefox\//, 'Firefox'],
  [/\bChrom(?:e|ium)\/|HeadlessChrome\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/\bAndroid\b/, 'Android'],
  [/\biPhone\b|\biPad\b/, 'iOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]
const shownMax = 40

/** The common name of the browser of a `User-Agent`; the beginning of the text where the browser is not known. */
export function browserName(userAgent: string | null): string {
  if (userAgent === null) return 'Unknown'
  const nameIn = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const browser = nameIn(browsers)
  if (browser === undefined) return userAgent.slice(0, shownMax)
  const system = nameIn(systems)
  return system === undefined ? browser : `${browser} on ${system}`
}
