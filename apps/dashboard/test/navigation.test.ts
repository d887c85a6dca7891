import { expect, test } from 'vitest'
import { accountPlaces, mainPlaces } from '../src/layout/navigation.ts'
import { routes } from '../src/routes.ts'

test('every page with a name has a place in the navigation', () => {
  const places = [...mainPlaces(routes).flatMap((group) => group.places), ...accountPlaces(routes)]
  const named = routes.filter(({ menu }) => menu !== undefined)
  const own = places.filter(({ isPublic }) => !isPublic)
  expect(own.map(({ path }) => path).sort()).toEqual(named.map(({ path }) => path).sort())
})
