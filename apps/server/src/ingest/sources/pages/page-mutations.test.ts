import { expect, test } from 'vitest'
import { fixturePages, tryPages } from '../../../../test/support/page-trials.ts'

// A taste of proofs/page-mutations.test.ts.
test.each([...new Set(fixturePages.map(({ source }) => source))])(
  '%s: no fault of a page gives a wrong amount',
  (source) => {
    const pages = fixturePages.filter((page) => page.source === source)
    const { wrongRead, wrongServed, placeless, refused, inPart } = tryPages(pages, 100, 19)
    expect({ wrongRead, wrongServed, placeless }).toEqual({ wrongRead: [], wrongServed: [], placeless: [] })
    expect(refused + inPart).toBeGreaterThan(30)
  },
)
