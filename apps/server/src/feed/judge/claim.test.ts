import { describe, expect, test } from 'vitest'
import type { Rate } from '../../features/prices/rate-card.ts'
import { feedPolicy } from '../policy.ts'
import { noAmounts, type SourceRecord } from '../source-record.ts'
import { firstClaim, hasStood, restate } from './claim.ts'

function stated(batch: string): SourceRecord {
  const rate: Rate = {
    meter: 'input_tokens',
    unit: '1m_tokens',
    amount: batch,
    service_tier: 'batch',
    variant: null,
    threshold: null,
    hours: null,
  }
  return {
    ...noAmounts,
    resource_id: 'openai:gpt-9',
    product_id: null,
    vendor: 'openai',
    platform: 'openai',
    modality: 'llm',
    region: null,
    unit: '1m_tokens',
    input_per_mtok: '2',
    output_per_mtok: '8',
    currency: 'USD',
    source_url: null,
    effective_at: null,
    source_key: 'gpt-9',
    model_name: 'gpt-9',
    is_named: true,
    rates: [rate],
    retires_on: null,
    scheduled: [],
  }
}

const at = '2026-08-01T06:00:00.000000Z'
const nextDay = '2026-08-02T06:00:00.000000Z'
const inAMonth = '2026-09-01T06:00:00.000000Z'

function cardMove(before: string, after: string) {
  const claim = firstClaim('litellm', 'openai-gpt-9', stated(before), at)
  return restate(claim, stated(after), nextDay, feedPolicy).cardMove
}

describe('a tier of a rate card', () => {
  test('that slips by 1,000 is not believed for its age', () => {
    const move = cardMove('1', '1000')
    expect(move).toMatchObject({ doubt: 'range', before: stated('1').rates })
    expect(hasStood(move, inAMonth, feedPolicy)).toBe(false)
  })

  test('that comes back to its base price by 1,000 is believed after a week', () => {
    const move = cardMove('1000', '1')
    expect(move).toMatchObject({ doubt: 'factor' })
    expect(hasStood(move, nextDay, feedPolicy)).toBe(false)
    expect(hasStood(move, inAMonth, feedPolicy)).toBe(true)
  })

  test('that doubles is believed after a day', () => {
    expect(cardMove('1', '2')).toMatchObject({ doubt: 'large' })
  })
})
