import { describe, expect, test } from 'vitest'
import { priceDataDir } from '../test/support/price-files.ts'
import { fixturePages, recordedPages, tryPages } from '../test/support/page-trials.ts'

// Pages in which something went wrong: columns and rows in other places, other words, signs and units, digits too many, a
// page that was cut. A reader refuses the page or the row, or reads what is still right. What it cannot know, names that
// shifted in all tables alike, is not served by the word of the page alone.

const sources = [...new Set(fixturePages.map(({ source }) => source))]

const recorded =
  priceDataDir === undefined ? 'not of recorded ones: PRICE_DATA_DIR is not set' : 'of recorded ones'

describe(`2,000 faulty pages, of our own and ${recorded}`, () => {
  const pages = [...fixturePages, ...recordedPages()]

  test.for(sources)('%s', async (source, { annotate }) => {
    const { wrongRead, wrongServed, placeless, ...counts } = tryPages(
      pages.filter((page) => page.source === source),
      2_000,
      2_026,
    )
    await annotate(JSON.stringify({ ...counts, wrongBlind: counts.wrongBlind.length }))
    expect({ wrongRead, wrongServed, placeless }).toEqual({ wrongRead: [], wrongServed: [], placeless: [] })
    // A name beside each amount of a script, whose order says nothing: half of the faults are none there.
    expect(counts.refused + counts.inPart).toBeGreaterThan(source === 'xai-page' ? 500 : 1_000)
  })
})
