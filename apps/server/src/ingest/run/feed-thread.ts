import { answerInThread } from '../../threads/answer.ts'
import { connectForPublishing, openAlerts } from '../publish/publishing-task.ts'
import { runDue } from './due.ts'
import type { FeedTask } from './feed-runner.ts'
import { toDueFigures, toFigures } from './figures.ts'
import { runSource } from './run-source.ts'

// One run of a source, or what dated prices bring, in a thread and on connections of its own: `feed-runner.ts` starts it.

answerInThread(async ({ feed, publishing, contact, keys }: FeedTask, signal) => {
  await using resources = new AsyncDisposableStack()
  const db = resources.use(connectForPublishing(publishing))
  const alerts = await openAlerts(publishing, resources)
  if (feed === null) return toDueFigures(await runDue(db, { alerts }))
  const { source, url } = feed
  return toFigures(
    await runSource(db, { source, location: url === null ? null : { url }, contact, keys, alerts, signal }),
  )
})
