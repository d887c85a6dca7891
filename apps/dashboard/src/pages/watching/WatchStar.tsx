import { Star } from 'lucide-react'
import type { Schemas } from '../../../contract/index.ts'
import { isOn, useToggleWatch, useWatches } from '../../api/watching.ts'
import './watching.css'

type WatchStarProps = Pick<Schemas['Watch'], 'kind' | 'name'> & {
  /** Of several in a row the star alone is shown; its name is read. */
  iconOnly?: boolean
}

/** Puts a product or a vendor on the watch list, and takes it off. */
export function WatchStar({ kind, name, iconOnly = false }: WatchStarProps) {
  const { data } = useWatches()
  const toggle = useToggleWatch()
  const isWatched = data !== undefined && isOn(data, { kind, name })
  return (
    <button
      type="button"
      className={iconOnly ? 'icon-button watch-star' : 'button watch-star'}
      data-size={iconOnly ? undefined : 'small'}
      aria-pressed={isWatched}
      // What is watched is not known yet.
      aria-disabled={data === undefined}
      title={isWatched ? 'On your watch list' : 'Put it on your watch list'}
      onClick={() => toggle({ kind, name })}
    >
      <Star aria-hidden="true" />
      <span className={iconOnly ? 'visually-hidden' : undefined}>
        Watch<span className="visually-hidden"> {name}</span>
      </span>
    </button>
  )
}
