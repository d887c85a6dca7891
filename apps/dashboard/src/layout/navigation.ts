import {
  Bell,
  BookOpen,
  Calculator,
  ChartColumn,
  CreditCard,
  Gauge,
  History,
  KeyRound,
  List,
  Scale,
  ScrollText,
  Settings,
  ShieldCheck,
  Star,
  Stamp,
  Tags,
  Users,
  Webhook,
  type LucideIcon,
} from 'lucide-react'
import type { Route } from '../routes.ts'

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

interface Group {
  name: string | null
  /** Public pages, which stand first. */
  open?: readonly Pick<Place, 'path' | 'label' | 'icon'>[]
  icons: Readonly<Record<string, LucideIcon>>
}

/** Where the pages with a name stand, in this order. A page that a user does not have is left out. */
const main: readonly Group[] = [
  { name: null, icons: { '/overview': Gauge } },
  {
    name: 'Models',
    open: [
      { path: '/models', label: 'Models', icon: Tags },
      { path: '/changes', label: 'Changes', icon: History },
      { path: '/compare', label: 'Compare', icon: Scale },
      { path: '/calculator', label: 'Calculator', icon: Calculator },
    ],
    icons: { '/watching': Star },
  },
  {
    name: 'API',
    icons: { '/keys': KeyRound, '/usage': ChartColumn, '/requests': List, '/webhooks': Webhook },
  },
  { name: 'Operator', icons: { '/review': Stamp } },
  { name: null, open: [{ path: '/docs/', label: 'API reference', icon: BookOpen }], icons: {} },
]

/** What belongs to the account and to the user. It is in the menu of the account, and above each of these pages. */
const account: readonly Group[] = [
  {
    name: 'Account',
    icons: {
      '/account': Settings,
      '/account/members': Users,
      '/billing': CreditCard,
      '/notifications': Bell,
      '/account/sessions': ShieldCheck,
      '/account/audit-log': ScrollText,
    },
  },
]

export function mainPlaces(routes: readonly Route[]): PlaceGroup[] {
  return listPlaces(main, routes)
}

export function accountPlaces(routes: readonly Route[]): Place[] {
  return listPlaces(account, routes).flatMap(({ places }) => places)
}

function listPlaces(groups: readonly Group[], routes: readonly Route[]): PlaceGroup[] {
  const all = groups.map(({ name, open = [], icons }) => ({
    name,
    places: [
      ...open.map((place) => ({ ...place, forOperators: false, isPublic: true })),
      ...Object.entries(icons).flatMap(([path, icon]) => {
        const route = routes.find((one) => one.path === path)
        if (route?.label === undefined) return []
        const forOperators = route.forOperators === true
        return [{ path, icon, label: route.label, forOperators, isPublic: false }]
      }),
    ],
  }))
  return all.filter(({ places }) => places.length > 0)
}

/** Whether a place is the present page, or the list that it is reached from. */
export function isAt(location: string, { path }: { path: string }): boolean {
  // The page of the account has others below its address that are places themselves.
  return location === path || (path !== '/account' && location.startsWith(`${path}/`))
}
