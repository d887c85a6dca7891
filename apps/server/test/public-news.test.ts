import { beforeAll, describe, expect, test } from 'vitest'
import { useApi } from './support/api.ts'
import { changeFile, publish } from './support/fixtures.ts'
import { useDatabase } from './support/postgres.ts'

// What the public pages tell of changes: the list, and the feeds.

const database = useDatabase()
const api = useApi(database, { env: { PUBLIC_URL: 'https://prices.example' } })

const read = async (path: string) => (await api.request(path)).body as string
const words = (html: string) =>
  html
    .replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

const step = (before: object, after: object) => ({
  diff_before: JSON.stringify({ 'acme:alpha': before }),
  diff_after: JSON.stringify({ 'acme:alpha': after }),
})

beforeAll(async () => {
  await publish(
    database.db,
    changeFile({ title: 'The old cut', effective_time: '2026-02-10', ...step({ input_per_mtok: 5 }, { input_per_mtok: 4 }) }),
    changeFile({ title: 'The new cut ($4 → $1 in)', effective_time: '2026-04-02', ...step({ input_per_mtok: 4 }, { input_per_mtok: 1 }) }),
    changeFile({ title: 'The rise', category: 'price_rise', effective_time: '2026-02-20', ...step({ output_per_mtok: 4 }, { output_per_mtok: 6 }) }),
    changeFile({ title: 'A mended record', category: 'correction', effective_time: '2026-04-03' }),
    changeFile({ title: 'The end', category: 'deprecation', vendor: 'zeta', product: 'zeta/one', effective_time: '2999-01-01' }),
  ) // prettier-ignore
})

describe('the list of changes', () => {
  test('stands under the months of their days, what is to come first', async () => {
    const page = words(await read('/changes'))
    const order = [
      'Announced',
      'The end',
      'April 2026',
      'The new cut',
      'February 2026',
      'The rise',
      'The old cut',
    ]
    const places = order.map((text) => page.indexOf(text))
    expect(places).not.toContain(-1)
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  test('says how far a price moved in signs, and its figures where the title does not', async () => {
    const page = words(await read('/changes'))
    expect(page).toContain('▼ Price cut −75 %')
    expect(page).toContain('▲ Price rise +50 %')
    expect(page).toContain('Input 5 → 4 (−20 %)')
    expect(page).not.toContain('Input 4 → 1')
  })

  test('has corrections where they are asked for', async () => {
    expect(await read('/changes')).not.toContain('A mended record')
    expect(await read('/changes.atom')).not.toContain('A mended record')
    for (const query of ['corrections=1', 'category=correction'])
      expect(await read(`/changes?${query}`)).toContain('A mended record')
  })
})
