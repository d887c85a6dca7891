import { openRoutes, routes } from '../src/routes.ts'
import type { Seeds } from './seed.ts'

/** A page to look at. */
export interface PageOfInterest {
  name: string
  /** As the routes write it, such as `/webhooks/:id`. */
  route: string
  /** Whether who opens it is signed in. */
  signedIn: boolean
}

/** Every page that there is, from the routes themselves: a new one is looked at without being listed here. */
export const everyPage: PageOfInterest[] = [
  ...routes.map(({ path }) => ({ name: nameOf(path), route: path, signedIn: true })),
  { name: 'not-found', route: '/no/such/page', signedIn: true },
  ...openRoutes.map(({ path }) => ({ name: nameOf(path), route: path, signedIn: false })),
]

function nameOf(route: string): string {
  const name = route.replaceAll(/[/:]+/g, '-').replaceAll(/^-|-$/g, '')
  return name === '' ? 'home' : name
}

/** Where the page is, of the thing that the seeds have for it. */
export function pathOf({ route }: PageOfInterest, seeds: Seeds): string {
  return route.replace(/:\w+/, () => {
    const id = seeds[route.split('/')[1] ?? '']
    if (id === undefined) throw new Error(`Say in seed.ts which thing ${route} is shown of.`)
    return encodeURIComponent(id)
  })
}
