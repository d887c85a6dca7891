import { mkdtemp, rm } from 'node:fs/promises'
import { CompiledQuery } from 'kysely'
import { connect, alwaysByIndex } from '../../apps/server/src/database/connect.ts'
import { openEmbedded } from '../../apps/server/src/database/embedded.ts'
import { migrate } from '../../apps/server/src/database/migrate.ts'
import { createSecretBox, generateSecretsKey } from '../../apps/server/src/features/webhooks/secret-box.ts'
import { loadAttempts, finishAttempts } from '../../apps/server/src/features/webhooks/attempt-store.ts'
import { createLogger } from '../../apps/server/src/platform/logger.ts'
import { openQueue } from '../../apps/server/src/queue/queue.ts'
import { createAccounts, publishMany, subscribe } from '../../apps/server/test/subscribers.ts'
const folder = await mkdtemp('/tmp/ratecard-exp-')
const pgm = await openEmbedded(folder, {settings: ['shared_preload_libraries=auto_explain','auto_explain.log_analyze=on','auto_explain.log_buffers=on','auto_explain.log_min_duration=2ms','auto_explain.log_triggers=on','auto_explain.log_nested_statements=off']})
console.log(folder)
const db = connect({ connectionString: pgm.connectionString, settings: alwaysByIndex })
await migrate(db)
const queue = await openQueue({ connectionString: pgm.connectionString, jobTimeoutSeconds: 35, logger: createLogger('warn'), supervise: false })
const box = createSecretBox([generateSecretsKey()])
await subscribe(db, box, { accountIds: await createAccounts(db, 100), urls: Array.from({length:1000},(_,i)=>'https://localhost:1/'+i) })
await publishMany(db, queue, 10)
const t: Record<string, number[]> = {}
const time = async <T>(n: string, f: () => Promise<T>) => { const s = performance.now(); const r = await f(); (t[n] ??= []).push(performance.now()-s); return r }
for (let i=0;i<30;i++) {
  const jobs = await time('fetch', () => queue.fetch('deliver', { jobsMax: 200, perGroupMax: 2, ignoreGroups: Array.from({length:150},(_,i)=>'wh_xxxxxxxxxxxxxxxxx'+i) }))
  const plans = await time('load', () => loadAttempts(db, jobs.map(j => j.data.deliveryId)))
  await db.transaction().execute(async trx => {
    await time('finish', () => finishAttempts(trx, plans.map(p => ({ deliveryId: p.delivery_id, webhookId: p.webhook_id, attempt: 1, startedAtMs: Date.now(), result: { status: 200, errorClass: null, error: null, durationMs: 3, retryAfter: null }, state: 'delivered' as const, nextDelayMs: null })), { afterDays: 5, exhaustedMin: 3 }))
    await time('complete', () => queue.complete(trx, 'deliver', jobs))
  })
}
for (const [k, v] of Object.entries(t)) { v.sort((a,b)=>a-b); console.log(k, 'median ms per 200', v[v.length>>1]!.toFixed(1), 'max', v.at(-1)!.toFixed(1)) }
await queue.stop(); await db.destroy(); await pgm.release()
await (await import('node:fs/promises')).cp(folder+'/postgres.log','/tmp/exp.log')
await rm(folder,{recursive:true})
