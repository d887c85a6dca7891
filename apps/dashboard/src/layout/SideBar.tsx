import { formatNumber } from '@ratecard/contract/wording'
import { Link, useLocation } from 'wouter'
import type { Schemas } from '../../contract/index.ts'
import { listRoutes } from '../routes.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { Mark } from './Mark.tsx'
import { isAt, mainPlaces, type Place } from './navigation.ts'

/** @param me null: not known yet; the frame is there before its content, so nothing jumps */
export function SideBar({ me }: { me: Schemas['Me'] | null }) {
  return (
    <>
      <Brand />
      {me && (
        <>
          <Places me={me} />
          <AccountMenu me={me} />
        </>
      )}
    </>
  )
}

export function Brand() {
  return (
    <a className="brand" href="/">
      <Mark />
      Ratecard
    </a>
  )
}

function Places({ me }: { me: Schemas['Me'] }) {
  return (
    <nav className="side-places" aria-label="Dashboard">
      {mainPlaces(listRoutes(me)).map(({ name, places }) => (
        <div key={places[0]?.path} className="place-group">
          {name !== null && <h2>{name}</h2>}
          <ul>
            {places.map((place) => (
              <li key={place.path}>
                <PlaceLink place={place} waiting={place.forOperators ? (me.operator?.waiting ?? 0) : 0} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** @param waiting how many things wait there */
function PlaceLink({ place, waiting }: { place: Place; waiting: number }) {
  const [location] = useLocation()
  const { path, label, icon: Icon, isPublic } = place
  if (isPublic)
    return (
      <a className="place" href={path}>
        <Icon aria-hidden="true" />
        <span>{label}</span>
      </a>
    )
  return (
    <Link className="place" href={path} aria-current={isAt(location, place) ? 'page' : undefined}>
      <Icon aria-hidden="true" />
      <span>{label}</span>
      {waiting > 0 && (
        <>
          {' '}
          <span className="count">
            {formatNumber(waiting)}
            <span className="visually-hidden"> waiting</span>
          </span>
        </>
      )}
    </Link>
  )
}
