import { BookOpen, Calculator, History, Scale, Tags, type LucideIcon } from 'lucide-react'
import type { MenuGroup, Route } from '../routes.ts'

export interface Place {
  path: string
  label: string
  icon: LucideIcon
  forOperators: boolean
  /** A page of the server beside the dashboard. */
  isPublic: boolean
}

export interface PlaceGroup {
  /** Without one, its places stand alone. */
  name: string | null
  places: Place[]
}

/** The groups beside the account's, in this order, each with the public pages that stand before its own. */
const main: readonly {
  name: string | null
  group?: MenuGroup
  open?: readonly Omit<Place, 'forOperators' | 'isPublic'>[]
}[] = [
  { name: null, group: 'Home' },
  {
    name: 'Models',
    group: 'Models',
    open: [
      { path: '/models', label: 'Models', icon: Tags },
      { path: '/changes', label: 'Changes', icon: History },
      { path: '/compare', label: 'Compare', icon: Scale },
      { path: '/calculator', label: 'Calculator', icon: Calculator },
    ],
  },
  { name: 'API', group: 'API' },
  { name: 'Operator', group: 'Operator' },
  { name: null, open: [{ path: '/docs/', label: 'API reference', icon: BookOpen }] },
]

/** A page that a user does not have is left out. */
export function mainPlaces(routes: readonly Route[]): PlaceGroup[] {
  const all = main.map(({ name, group, open = [] }) => ({
    name,
    places: [
      ...open.map((place) => ({ ...place, forOperators: false, isPublic: true })),
      ...listPlaces(group, routes),
    ],
  }))
  return all.filter(({ places }) => places.length > 0)
}

export function accountPlaces(routes: readonly Route[]): Place[] {
  return listPlaces('Account', routes)
}

function listPlaces(group: MenuGroup | undefined, routes: readonly Route[]): Place[] {
  return routes.flatMap(({ path, menu, forOperators = false }) =>
    menu !== undefined && menu.group === group
      ? [{ path, label: menu.label, icon: menu.icon, forOperators, isPublic: false }]
      : [],
  )
}

/** Whether a place is the present page, or the list that it is reached from. */
export function isAt(location: string, { path }: { path: string }): boolean {
  // The page of the account has others below its address that are places themselves.
  return location === path || (path !== '/account' && location.startsWith(`${path}/`))
}
