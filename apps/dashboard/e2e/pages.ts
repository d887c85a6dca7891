import { openRoutes, routes } from '../src/routes.ts'
import type { Seeds } from './seed.ts'

/** A page under test. */
export interface PageOfInterest {
  name: string
  /** As the routes write it, such as `/webhooks/:id`. */
  route: string
  /** Whether the page needs a signed-in user. */
  signedIn: boolean
}

/** Every page, from the routes themselves: a new page is tested without being listed here. */
export const everyPage: PageOfInterest[] = [
  ...routes.map(({ path }) => ({ name: nameOf(path), route: path, signedIn: true })),
  { name: 'not-found', route: '/no/such/page', signedIn: true },
  ...openRoutes.map(({ path }) => ({ name: nameOf(path), route: path, signedIn: false })),
]

function nameOf(route: string): string {
  const name = route.replaceAll(/[/:]+/g, '-').replaceAll(/^-|-$/g, '')
  return name === '' ? 'home' : name
}

/** The path of the page, with the seeded id where it needs one. */
export function pathOf({ route }: PageOfInterest, seeds: Seeds): string {
  return route.replace(/(\w+)\/:\w+/, (_, thing: string) => {
    const id = seeds[thing]
    if (id === undefined) throw new Error(`Say in seed.ts which thing ${route} is shown of.`)
    return `${thing}/${encodeURIComponent(id)}`
  })
}
