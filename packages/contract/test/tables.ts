// The promises, written by hand and apart from openapi.yaml: an accidental edit there fails a test.

export const operationTable = [
  { id: 'getHealth', method: 'get', url: '/health', statuses: '200 400 500' },
  { id: 'listPrices', method: 'get', url: '/v1/prices', statuses: '200 400 401 403 429 500 503' },
  { id: 'listChanges', method: 'get', url: '/v1/changes', statuses: '200 400 401 403 429 500 503' },
  { id: 'listWebhooks', method: 'get', url: '/v1/webhooks', statuses: '200 400 401 403 429 500 503' },
  {
    id: 'createWebhook',
    method: 'post',
    url: '/v1/webhooks',
    statuses: '201 400 401 402 403 413 415 429 500 503',
  },
  {
    id: 'deleteWebhook',
    method: 'delete',
    url: '/v1/webhooks/{id}',
    statuses: '200 400 401 403 404 429 500 503',
  },
  { id: 'getUsage', method: 'get', url: '/v1/usage', statuses: '200 400 401 500 503' },
]

/** The headers of a response. A name with `?` is not always present. */
export function headerTable(operationId: string, status: string): string[] {
  if (operationId === 'getHealth') return ['X-Request-Id']
  const names = ['X-Request-Id', 'Cache-Control', 'Vary']
  if (status === '401') names.push('WWW-Authenticate')
  if (status === '429' || status === '503') names.push('Retry-After')
  const quota = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
  if (status === '400' || status === '500') names.push(...quota.map((name) => `${name}?`))
  else if (status !== '401' && status !== '503') names.push(...quota)
  const paid = ['200', '201', '402', '404'].includes(status) && operationId !== 'getUsage'
  if (paid || status === '500') names.push('X-RateLimit-Topup?')
  return names
}

/** What a delivery carries besides its body. A name with `?` is not always present. */
export const alertHeaderTable = [
  'x-svc-signature',
  'x-svc-delivery',
  'x-svc-attempt',
  'x-svc-test?',
  'user-agent',
]

/** `?` after a name: may be absent. `?` after a type: may be null. */
export const fieldTable: Record<string, string[]> = {
  Health: ['status: string', 'timestamp: string'],
  Price: [
    'resource_id: string',
    'product_id: string?',
    'vendor: string',
    'platform: string?',
    'modality: string?',
    'region: string?',
    'unit: string?',
    'input_per_mtok: number?',
    'output_per_mtok: number?',
    'cached_input_per_mtok: number?',
    'image_per_unit: number?',
    'audio_per_min: number?',
    'video_per_sec: number?',
    'currency: string?',
    'source_url: string?',
    'effective_at: string',
    'updated_at: string',
  ],
  PriceList: ['schema_version: integer', 'data: array', 'pagination?: object'],
  Change: [
    'id: string',
    'vendor: string',
    'product: string',
    'modality: string',
    'category: string',
    'severity: integer',
    'title: string',
    'summary: string',
    'diff_before?: string?',
    'diff_after?: string?',
    'diff_keys?: string?',
    'impact_score: integer',
    'impact_cost?: integer?',
    'impact_reliability?: integer?',
    'impact_migration?: integer?',
    'impact_quality?: integer?',
    'impact_compliance?: integer?',
    'impact_notes?: string?',
    'migration_deadline?: string?',
    'effective_time?: string?',
    'first_seen: string',
    'last_seen: string',
    'verified?: boolean?',
    'verified_at?: string?',
    'status?: string?',
    'view_count?: integer?',
    'created_at: string',
    'updated_at: string',
    'alternatives: array',
    'access: string',
  ],
  ChangeAlternative: [
    'id: string',
    'change_id: string',
    'product_id: string',
    'product_name: string',
    'vendor: string',
    'migration_effort: string',
    'cost_diff_pct?: number?',
    'quality_comparison?: string?',
    'notes?: string?',
    'rank: integer',
    'created_at: string',
  ],
  ChangeList: ['schema_version: integer', 'data: array', 'pagination?: object'],
  Pagination: ['next_cursor: string'],
  Webhook: [
    'id: string',
    'url: string',
    'events: array',
    'active: boolean',
    'has_secret: boolean',
    'last_status?: integer?',
    'last_error?: string?',
    'created_at: string',
    'updated_at: string',
  ],
  WebhookInput: ['url: string', 'secret: string', 'events?: array'],
  WebhookList: ['data: array'],
  WebhookResult: ['data: object'],
  DeletedResult: ['success: boolean'],
  Usage: [
    'schema_version?: integer',
    'plan: string',
    'day: string',
    'daily_quota: object',
    'endpoints: object',
    'metered_total?: integer',
    'topup: object',
  ],
  DailyQuota: ['limit: integer', 'used: integer', 'remaining: integer', 'reset_at: string'],
  EndpointCounts: ['prices: integer', 'changes: integer', 'webhooks: integer'],
  TopupBalance: ['remaining: integer', 'packs: array', 'purchase_url: string'],
  TopupPack: ['id: string', 'remaining: integer', 'expires_at: string'],
  ErrorBody: ['error: string', 'message: string', 'status: integer', 'upgrade_url?: string'],
  QuotaErrorBody: [
    'error: string',
    'message: string',
    'status: integer',
    'upgrade_url?: string',
    'topup_url: string',
  ],
  ChangeAlert: ['event: string', 'timestamp: string', 'changes: array'],
  AlertedChange: [
    'id: string',
    'vendor: string',
    'product: string',
    'category: string',
    'title: string',
    'summary: string',
    'severity: integer',
    'url: string',
  ],
}
